#pragma once

#include "paretofl/data/partition.h"
#include "paretofl/images/image_splits.h"
#include "paretofl/workloads/bench_pool.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// Options that all image workloads share; defaults are those of the authors' code for FedCMOO's digit experiments, but that nothing is
/// held out for validation (a fifth of the training images in its appendix D.3).
struct ImageClassificationOptions {
  std::int64_t clients = 100;
  std::int64_t samples_per_client = 600;
  double dirichlet_alpha = 0.3;
  std::int64_t batch_size = 128;
  double rotation_degrees = 25;
  double validation_fraction = 0;
  double held_out_fraction = 0;
  std::string model = "lenet";
  std::string losses = "nll";

  void describe(OptionVisitor& visit);
};

/// Classification of images with one label per objective, by a model with a shared encoder and one head
/// per objective. Clients hold equal numbers of training images, split by a Dirichlet draw over joint
/// labels (or the data set's strata); minibatches are shuffled, the last incomplete one of an epoch is
/// dropped, images are augmented in training. Validation is on the data set's own part for that, or on a share held out
/// of the training images. Losses: those of the data set's heads, or the mixed losses of FedCMOO's Table 2 (losses =
/// "l2_first"), where the first objective is the mean squared error of the probabilities (Loss::kL2), which is how we read
/// its "l2-norm loss".
class ImageClassification : public Workload {
 public:
  /// Throws Error if the options don't fit the data. With a part, the splits are those of read_image_part().
  ImageClassification(const ImageClassificationOptions& options, ImageSplits splits, std::uint64_t seed,
                      std::optional<ProblemPart> part = {});
  ~ImageClassification() override;

  int num_clients() const override { return static_cast<int>(options_.clients); }
  const std::vector<std::string>& objective_names() const override { return splits_.train.objectives; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override;
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  bool has_local_losses() const override { return true; }
  bool seed_changes_problem() const override { return !splits_.same_for_every_seed; }
  /// Mixed losses are in different units.
  bool shares_unit(const std::string& metric) const override;
  nlohmann::json facts() const override;
  /// The files of image_part.h.
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;
  bool has_split(Split split) const override {
    return split == Split::kTest ? splits_.test.count > 0 : !validation_.empty() || splits_.validation.count > 0;
  }
  /// On random images of each client, workload.held_out_fraction of them, on which it does not train, but for those on which another client
  /// does (partition.h); in a client's part on its own test images.
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;
  /// "loss" and "accuracy", each [M].
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  /// From "images" with pixels from 0 to 1, which the graph normalizes, to the outputs of each objective, by its name, before softmax or
  /// sigmoid.
  std::optional<NetworkGraph> network() const override;
  /// "accuracy" [M] of the most frequent training label, or of each binary attribute's more frequent value. No part has it, since it takes
  /// the labels of all clients.
  std::map<std::string, std::vector<double>> constant_predictor() const override;

 private:
  class Images;

  /// Deals the training images to the clients, and holds some out.
  void deal_images();
  /// Of the images that clients leave out of training, keeps those on which no other client trains. Throws Error if there are none.
  void choose_held_out_images();
  /// The images that a client trains on, and those that it holds out itself.
  std::span<const std::uint32_t> training_images(int client) const;
  std::span<const std::uint32_t> held_out_images(int client) const;
  /// Reduces the training images to those that clients or validation_ hold, and reads their pixels.
  void read_used_images();
  /// Throws Error unless the model takes images of each part.
  void expect_fitting_model();

  ImageClassificationOptions options_;
  ImageSplits splits_;
  std::unique_ptr<const Images> train_;
  std::unique_ptr<const Images> test_;
  std::unique_ptr<const Images> published_validation_;
  std::uint64_t seed_;
  Partition partition_;
  std::vector<Head> heads_;
  std::vector<std::uint32_t> validation_;             ///< held-out training samples
  std::vector<std::vector<std::uint32_t>> held_out_;  ///< by client; empty if no client holds any out
  mutable BenchPool benches_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace paretofl
