#include "paretofl/core/model_simplex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

TEST(ModelSimplex, MixesItsVerticesAndIsExactAtThem) {
  ModelSimplex simplex(Parameters(flat_layout("x", 3), {0.1F, 0.2F, 0.3F}), 2, {{0.25, 0.75}});
  EXPECT_THAT(simplex.center(), ElementsAre(0.1F, 0.2F, 0.3F));
  EXPECT_THAT(simplex.at(std::vector<double>{0.3, 0.7}), ElementsAre(0.1F, 0.2F, 0.3F));
  const std::vector<float> values{1, 2, 3, -1, 0, 7};
  std::copy(values.begin(), values.end(), simplex.vertices().values().begin());
  EXPECT_THAT(simplex.at(std::vector<double>{1, 0}), ElementsAre(1, 2, 3));
  EXPECT_THAT(simplex.at(std::vector<double>{0, 1}), ElementsAre(-1, 0, 7));
  EXPECT_THAT(simplex.at(simplex.preferences()[0]), ElementsAre(-0.5F, 0.5F, 6));
  EXPECT_THROW(simplex.at(std::vector<double>{1}), Error);
}

TEST(ModelSimplex, IsSavedAndLoaded) {
  const Parameters initial(flat_layout("x", 2), {4, 5});
  ModelSimplex first(initial, 3, {}), second(initial, 3, {}), other(initial, 2, {});
  first.vertices().values()[4] = 9;
  second.load(first.save());
  EXPECT_THAT(second.vertices().values(), ElementsAreArray(first.vertices().values()));
  EXPECT_THROW(other.load(first.save()), Error);
  EXPECT_THROW(ModelSimplex(initial, 0, {}), Error);
  EXPECT_THROW(ModelSimplex(initial, 2, {{1, 0, 0}}), Error);
}

}  // namespace
}  // namespace paretofl
