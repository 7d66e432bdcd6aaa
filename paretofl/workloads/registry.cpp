#include <algorithm>
#include <iterator>

#include "paretofl/images/digit_composition.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/workloads/celeba.h"
#include "paretofl/workloads/cifar10_mnist.h"
#include "paretofl/workloads/environment_workload.h"
#include "paretofl/workloads/faces.h"
#include "paretofl/workloads/glyphs.h"
#include "paretofl/workloads/image_classification.h"
#include "paretofl/workloads/image_part.h"
#include "paretofl/workloads/language_workloads.h"
#include "paretofl/workloads/logistic_regression.h"
#include "paretofl/workloads/qm9.h"
#include "paretofl/workloads/quadratics.h"
#include "paretofl/workloads/table.h"
#include "paretofl/workloads/tabular_mdp.h"
#include "paretofl/workloads/workload.h"
#include "paretofl/workloads/workload_defaults.h"

namespace paretofl {
namespace {

/// Quadratics with a Pareto front that bends inwards.
QuadraticsOptions robust_quadratics() { return {.heterogeneity = 0.2, .robustness = 1}; }

/// An image workload of a party's folder, where there is one, or else what `make` returns.
template <class Make>
std::unique_ptr<Workload> images_of(const ImageClassificationOptions& options, const WorkloadContext& context, const Make& make) {
  if (!context.part) return make();
  return std::make_unique<ImageClassification>(options, read_image_part(*context.part, options.samples_per_client), context.seed,
                                               context.part);
}

/// An image workload whose images come from files under data.root.
Registry<WorkloadFactory>::Entry image_files(std::string name, std::string summary, std::string reference,
                                             ImageSplits (*load)(const std::filesystem::path&, std::uint64_t),
                                             const ImageClassificationOptions& defaults = {}) {
  return {{std::move(name), std::move(summary), std::move(reference), described_as(defaults)},
          [load, defaults](const Settings& settings, const WorkloadContext& context) {
            const ImageClassificationOptions options = read_over(defaults, settings);
            return images_of(options, context, [&] {
              return std::make_unique<ImageClassification>(options, load(context.data_root, context.seed), context.seed);
            });
          }};
}

/// A workload on the molecules of a party's folder, where there is one, or else on those that `load` returns, which are scaled by the
/// statistics of the context where it has any.
template <class Load>
std::unique_ptr<Workload> molecules_of(const MoleculeRegressionOptions& options, const WorkloadContext& context, const Load& load) {
  if (context.part) return std::make_unique<MoleculeRegression>(options, *context.part, context.seed);
  return std::make_unique<MoleculeRegression>(options, load(), context.seed, context.statistics.get());
}

/// A reinforcement-learning workload in an environment.
Registry<WorkloadFactory>::Entry acting(std::string name, std::string summary, const EnvironmentWorkloadOptions& defaults) {
  return {{std::move(name), std::move(summary), "FedPref, Section 4.1", described_as(defaults)},
          [defaults](const Settings& settings, const WorkloadContext& context) {
            return std::make_unique<EnvironmentWorkload>(read_over(defaults, settings), context.seed, context.part);
          }};
}

}  // namespace

Registry<WorkloadFactory>& workloads() {
  static Registry<WorkloadFactory> registry("workload", [] {
    std::vector<Registry<WorkloadFactory>::Entry> all = {
        {{"quadratics", "smooth convex objectives with a known Pareto set", "", described<QuadraticsOptions>()},
         [](const Settings& settings, const WorkloadContext& context) {
           return std::make_unique<Quadratics>(read_options<QuadraticsOptions>(settings, "workload"), context.seed, context.part);
         }},
        {{"robust_quadratics", "two objectives that pull apart, under a robust loss: a front that weighted sums miss the middle of", "",
          described_as(robust_quadratics())},
         [](const Settings& settings, const WorkloadContext& context) {
           return std::make_unique<Quadratics>(read_over(robust_quadratics(), settings), context.seed, context.part);
         }},
        {{"logistic", "logistic regression of several labels by one linear function, with exact gradients",
          "Li et al. 2020 (FedProx), section 5.1", described<LogisticRegressionOptions>()},
         [](const Settings& settings, const WorkloadContext& context) {
           return std::make_unique<LogisticRegression>(read_options<LogisticRegressionOptions>(settings, "workload"), context.seed,
                                                       context.part);
         }},
        {{"tabular_mdp", "a random Markov decision process with known returns", "FIRM, section 4", described<TabularMdpOptions>()},
         [](const Settings& settings, const WorkloadContext& context) {
           return std::make_unique<TabularMdp>(read_options<TabularMdpOptions>(settings, "workload"), context.seed, context.part);
         }},
        {{"table", "columns of your own CSV or .npy files, predicted from other columns", "", described<TableOptions>()},
         [](const Settings& settings, const WorkloadContext& context) {
           const auto options = read_options<TableOptions>(settings, "workload");
           return context.part ? std::make_unique<Table>(options, *context.part, context.seed)
                               : std::make_unique<Table>(options, context.data_root, context.seed, context.statistics.get());
         }},
        {{"glyphs", "procedural images of two digits; needs no download", "", described<GlyphsOptions>()},
         [](const Settings& settings, const WorkloadContext& context) {
           const auto options = read_options<GlyphsOptions>(settings, "workload");
           return images_of(options.images, context, [&] { return make_glyphs(options, context.seed); });
         }},
        {{"qm9", "eleven properties of QM9's molecules, from the published files", "FedCMOO, section 7 and appendix D",
          described<Qm9Options>()},
         [](const Settings& settings, const WorkloadContext& context) {
           const auto options = read_options<Qm9Options>(settings, "workload");
           return molecules_of(options.base, context, [&] { return load_qm9(context.data_root, options.keep_uncharacterized); });
         }},
        {{"qm9_geometries", "eleven properties of small molecules' geometries", "Tsubaki and Mizoguchi 2020",
          described<Qm9GeometriesOptions>()},
         [](const Settings& settings, const WorkloadContext& context) {
           const auto options = read_options<Qm9GeometriesOptions>(settings, "workload");
           return molecules_of(options.base, context, [&] { return load_qm9_geometries(context.data_root); });
         }},
        {{"faces", "procedural faces with CelebA's 40 attributes; needs no download", "", described<FacesOptions>()},
         [](const Settings& settings, const WorkloadContext& context) {
           const auto options = read_options<FacesOptions>(settings, "workload");
           return images_of(options.images, context, [&] { return make_faces(options, context.data_root, context.seed); });
         }},
        {{"celeba", "the 40 attributes of CelebA's faces, from the published files", "FedCMOO, section 7 and appendix D",
          described<CelebaOptions>()},
         [](const Settings& settings, const WorkloadContext& context) {
           const auto options = read_options<CelebaOptions>(settings, "workload");
           return images_of(options.base.images, context, [&] { return make_celeba(options, context.data_root, context.seed); });
         }},
        {{"celeba5", "five groups of eight of CelebA's attributes, from the published files", "FedCMOO, section 7 and appendix D",
          described<Celeba5Options>()},
         [](const Settings& settings, const WorkloadContext& context) {
           const auto options = read_options<Celeba5Options>(settings, "workload");
           return images_of(options.images, context, [&] { return make_celeba5(options, context.data_root, context.seed); });
         }},
        image_files("mnist_fmnist", "a digit and a garment in one image", "FedCMOO, section 7 and appendix D", load_mnist_fmnist),
        image_files("multimnist", "two digits in one image", "Sener and Koltun 2018; FedCMOO, section 7 and appendix D", load_multimnist),
        image_files("cifar10_mnist", "a CIFAR-10 image under a digit", "FedCMOO, section 7 and appendix D", load_cifar10_mnist,
                    kCifar10MnistDefaults),
        acting("deep_sea_treasure", "a submarine looks for treasure in little time", {.environment = "deep-sea-treasure-v0"}),
        acting("minecart", "a cart mines two ores with little fuel", {.environment = "minecart-deterministic-v0"}),
        acting("lunar_lander", "a lander comes down softly with little fuel",
               {.environment = "mo-lunar-lander-v2", .evaluation_episodes = 10}),
        acting("lunar_lander_continuous", "a lander with engines that can be throttled",
               {.environment = "mo-lunar-lander-continuous-v2", .agent = {"ddpg", {}}, .evaluation_episodes = 10}),
        acting("half_cheetah", "a two-legged robot runs fast with little energy",
               {.environment = "mo-halfcheetah-v4", .clients = 10, .agent = {"ddpg", {}}, .evaluation_episodes = 3})};
    std::ranges::copy(language_workloads(), std::back_inserter(all));
    return all;
  }());
  return registry;
}

}  // namespace paretofl
