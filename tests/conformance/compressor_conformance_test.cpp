// What every registered compressor promises.
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/compressors/compressor.h"
#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"

namespace paretofl {
namespace {

class CompressorConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  std::unique_ptr<Compressor> compressor_ = make_compressor({GetParam()->name, {}});
};

std::vector<float> random_jacobian(std::size_t objectives, std::size_t dimension) {
  Random random({1}, "test jacobian");
  std::vector<float> jacobian(objectives * dimension);
  for (float& x : jacobian) x = static_cast<float>(random.normal());
  return jacobian;
}

std::size_t numbers_in(const Record& sketch) {
  std::size_t count = sketch.scalars.size();
  for (const auto& [name, array] : sketch.arrays) count += array.bytes().size() / sizeof(float);
  return count;
}

TEST_P(CompressorConformance, SendsWhatItSaysItSends) {
  for (const std::size_t objectives : {1, 2, 7}) {
    for (const std::size_t dimension : {1, 30, 1000}) {
      const Record sketch = compressor_->compress(random_jacobian(objectives, dimension), objectives, Random({1}, "sketch"));
      EXPECT_EQ(numbers_in(sketch), compressor_->upload_numbers(objectives, dimension)) << objectives << " x " << dimension;
    }
  }
}

TEST_P(CompressorConformance, IsAFunctionOfJacobianAndStream) {
  const std::vector<float> jacobian = random_jacobian(3, 400);
  const Record sketch = compressor_->compress(jacobian, 3, Random({1}, "sketch"));
  EXPECT_EQ(sketch, compressor_->compress(jacobian, 3, Random({1}, "sketch")));
  EXPECT_EQ(sketch, make_compressor({GetParam()->name, {}})->compress(jacobian, 3, Random({1}, "sketch")));
}

TEST_P(CompressorConformance, ReconstructsSomethingInTheJacobiansDirection) {
  const std::vector<float> jacobian = random_jacobian(3, 400);
  const Record sketch = compressor_->compress(jacobian, 3, Random({1}, "sketch"));
  std::vector<float> result(jacobian.size(), std::nanf(""));
  if (compressor_->protocol() == GramianProtocol::kOwnGramians) {
    EXPECT_THROW(compressor_->reconstruct(sketch, 3, result), Error);
    return;
  }
  compressor_->reconstruct(sketch, 3, result);
  double inner = 0;
  double norms = 0;
  for (std::size_t i = 0; i < jacobian.size(); ++i) {
    inner += static_cast<double>(jacobian[i]) * result[i];
    norms += static_cast<double>(jacobian[i]) * jacobian[i] + static_cast<double>(result[i]) * result[i];
  }
  EXPECT_GT(inner / norms, 0.1);
}

TEST_P(CompressorConformance, RejectsASketchOfAnotherShapeOrNone) {
  std::vector<float> result(3 * 500);
  EXPECT_THROW(compressor_->reconstruct({}, 3, result), Error);
  EXPECT_THROW(compressor_->reconstruct(compressor_->compress(random_jacobian(3, 400), 3, Random({1}, "sketch")), 3, result), Error);
}

TEST_P(CompressorConformance, RejectsUnknownOptions) {
  const Settings settings{.values = {{"no_such_option", true}}, .tables = {}};
  OptionReader reader(settings, "compressor");
  GetParam()->describe(reader);
  EXPECT_THROW(reader.finish(), Error);
}

INSTANTIATE_TEST_SUITE_P(All, CompressorConformance, testing::ValuesIn(compressors().entries()),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace paretofl
