#include "paretofl/workloads/digit_composition.h"
#include "paretofl/workloads/glyphs.h"
#include "paretofl/workloads/image_classification.h"
#include "paretofl/workloads/quadratics.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {
namespace {

using WorkloadFactory = std::unique_ptr<Workload>(const Settings&, const WorkloadContext&);

/// An image workload whose images come from files under data.root.
Registry<WorkloadFactory>::Entry image_files(std::string name, std::string summary, std::string reference,
                                             ImageSplits (*load)(const std::filesystem::path&, std::uint64_t)) {
  return {{std::move(name), std::move(summary), std::move(reference), described<ImageClassificationOptions>()},
          [load](const Settings& settings, const WorkloadContext& context) {
            const auto options = read_options<ImageClassificationOptions>(settings, "workload");
            return std::make_unique<ImageClassification>(options, load(context.data_root, context.seed), context.seed);
          }};
}

}  // namespace

const Registry<WorkloadFactory>& workloads() {
  static const Registry<WorkloadFactory> kRegistry(
      "workload",
      {{{"quadratics", "smooth convex objectives with a known Pareto set", "", described<QuadraticsOptions>()},
        [](const Settings& settings, const WorkloadContext& context) {
          return std::make_unique<Quadratics>(read_options<QuadraticsOptions>(settings, "workload"), context.seed);
        }},
       {{"glyphs", "procedural images of two digits; needs no download", "", described<GlyphsOptions>()},
        [](const Settings& settings, const WorkloadContext& context) {
          return make_glyphs(read_options<GlyphsOptions>(settings, "workload"), context.seed);
        }},
       image_files("mnist_fmnist", "a digit and a garment in one image", "FedCMOO, section 7 and appendix D", load_mnist_fmnist),
       image_files("multimnist", "two digits in one image", "Sener and Koltun 2018; FedCMOO, section 7 and appendix D", load_multimnist)});
  return kRegistry;
}

}  // namespace paretofl
