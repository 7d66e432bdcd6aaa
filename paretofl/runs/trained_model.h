#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/core/client_models.h"
#include "paretofl/core/model_simplex.h"
#include "paretofl/core/texts.h"
#include "paretofl/runs/model_description.h"

namespace paretofl {

/// The model that a run has at its newest checkpoint, or the models where every client has its own.
class TrainedModel {
 public:
  /// Reads a run's directory, which may belong to a run under way; a damaged checkpoint on the way is a warning. Throws Error if there
  /// is none.
  static TrainedModel load(const std::filesystem::path& run);

  bool chosen() const { return !chosen_.empty(); }                          ///< whether evaluation.choose_by has chosen it
  std::int64_t round() const { return chosen() ? chosen_round_ : round_; }  ///< whose model it is
  std::size_t size() const { return shared_.size(); }                       ///< d
  /// n, where every client has a model of its own; 0 where all share one.
  std::size_t num_clients() const { return clients_.empty() ? 0 : clients_.size() / size(); }

  /// Whether there is a model for every preference; theta() is then that for the uniform one.
  bool has_preferences() const { return !vertices_.empty(); }
  /// The model for a preference [M] of any scale: [d]. Throws Error unless has_preferences(), and where `preference` is no such vector.
  std::vector<float> at(std::span<const double> preference) const;

  /// The model [d], or that of the client named. Throws Error unless a client is named where clients have models of their own that differ,
  /// and where one is named although there are no models of clients.
  std::span<const float> theta(std::optional<int> client = std::nullopt) const;
  /// What the newest round left, even where an earlier model is chosen: [d], of clients' own models [n, d], and of models for every
  /// preference the vertices [M, d].
  std::span<const float> newest() const { return has_preferences() ? vertices_ : clients_.empty() ? shared_ : clients_; }

  /// The clients' own models with this layout; nothing where all share one. Throws Error on a layout of another size.
  std::optional<ClientModels> client_models(const std::shared_ptr<const Layout>& layout) const { return models(clients_, layout); }
  /// Likewise before their last mixing; nothing if client_models() are these already.
  std::optional<ClientModels> fine_tuned_models(const std::shared_ptr<const Layout>& layout) const { return models(fine_tuned_, layout); }

  /// The models for every preference with this layout; nothing where there are none. Throws Error on a layout of another size.
  std::optional<ModelSimplex> simplex(const std::shared_ptr<const Layout>& layout) const;

  /// What the checkpoint says about the model; nothing in those of versions that did not describe it.
  const std::optional<ModelDescription>& description() const { return description_; }
  /// The run's settings that shape results, by full key, and the fingerprint of its data.
  const Texts& identity() const { return identity_; }
  /// The SHA-256 of the run's plugins by file name; empty where it had none.
  const Texts& plugins() const { return plugins_; }
  /// One of them by its full key, such as workload.name; throws Error if there is none.
  const std::string& setting(std::string_view key) const;

 private:
  bool share_one() const;  ///< whether the clients' models are all the same, or there are none
  std::optional<ClientModels> models(const std::vector<float>& values, const std::shared_ptr<const Layout>& layout) const;

  std::int64_t round_ = 0;  // of the checkpoint
  std::int64_t chosen_round_ = 0;
  std::vector<float> shared_;                     // [d]
  std::vector<float> clients_;                    // [n, d] or empty
  std::vector<float> fine_tuned_;                 // likewise
  std::vector<float> chosen_;                     // [d] or empty
  std::vector<float> vertices_;                   // [M, d] or empty
  std::vector<std::vector<double>> preferences_;  // [P][M], at which the run evaluates these
  std::optional<ModelDescription> description_;
  Texts identity_;
  Texts plugins_;
};

}  // namespace paretofl
