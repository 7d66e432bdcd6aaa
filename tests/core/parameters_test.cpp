#include "paretofl/core/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::Each;
using testing::ElementsAre;

/// A shared part of 2 x 3 and 2 numbers, and heads of 4 (objective 0) and 1 + 2 (objective 2).
std::shared_ptr<const Layout> two_heads() {
  return std::make_shared<Layout>(std::vector<Slice>{
      {.name = "weight", .shape = {2, 3}, .range = {}},
      {.name = "bias", .shape = {2}, .range = {}},
      {.name = "head0", .shape = {4}, .head = 0, .range = {}},
      {.name = "head2.a", .shape = {}, .head = 2, .range = {}},
      {.name = "head2.b", .shape = {2}, .head = 2, .range = {}},
  });
}

TEST(Layout, LaysSlicesOutInOrder) {
  const auto layout = two_heads();
  EXPECT_EQ(layout->size(), 15U);
  EXPECT_EQ(layout->all(), (Range{0, 15}));
  EXPECT_EQ(layout->shared(), (Range{0, 8}));
  EXPECT_EQ(layout->head(0), (Range{8, 12}));
  EXPECT_EQ(layout->head(2), (Range{12, 15}));
  EXPECT_EQ(layout->slice("bias").range, (Range{6, 8}));
  EXPECT_EQ(layout->slice("head2.a").range, (Range{12, 13})) << "no extents: one number";
}

TEST(Layout, AnObjectiveWithoutAHeadHasAnEmptyRange) {
  EXPECT_EQ(two_heads()->head(1), (Range{15, 15}));
  EXPECT_EQ(two_heads()->head(9).size(), 0U);
}

TEST(Layout, WithoutASharedPartTheSharedRangeIsEmpty) {
  const Layout layout({{.name = "a", .shape = {3}, .head = 0, .range = {}}});
  EXPECT_EQ(layout.shared(), (Range{0, 0}));
  EXPECT_EQ(Layout({}).size(), 0U);
}

TEST(Layout, RefusesBadSlices) {
  EXPECT_THROW(Layout({{.name = "a", .shape = {1}, .range = {}}, {.name = "a", .shape = {1}, .range = {}}}), Error);
  EXPECT_THROW(Layout({{.name = "a", .shape = {-1}, .range = {}}}), Error);
  EXPECT_THROW(Layout({{.name = "a", .shape = {1}, .head = 1, .range = {}}, {.name = "b", .shape = {1}, .head = 0, .range = {}}}), Error);
  EXPECT_THROW(Layout({{.name = "a", .shape = {1}, .head = 0, .range = {}}, {.name = "b", .shape = {1}, .range = {}}}), Error);
  EXPECT_THROW(Layout({{.name = "a", .shape = {1}, .head = -2, .range = {}}}), Error);
  constexpr std::int64_t kBig = std::int64_t{1} << 32;
  EXPECT_THROW(Layout({{.name = "a", .shape = {kBig, kBig}, .range = {}}}), Error);
  EXPECT_THROW(two_heads()->slice("none"), Error);
}

TEST(Parameters, StartAtZeroOrTheValuesGiven) {
  EXPECT_THAT(Parameters(two_heads()).values(), Each(0));
  EXPECT_THAT(Parameters(flat_layout("x", 2), {1, 2}).values(), ElementsAre(1, 2));
  EXPECT_THROW(Parameters(flat_layout("x", 2), {1, 2, 3}), Error);
}

TEST(Parameters, SlicesAreViews) {
  Parameters theta(two_heads());
  theta.slice("bias")[1] = 5;
  EXPECT_EQ(theta.values()[7], 5);
  EXPECT_EQ(std::as_const(theta).slice("bias")[1], 5);
  EXPECT_THROW(theta.slice("none"), Error);
}

TEST(Parameters, ASnapshotAndACopyStayAsTheyWere) {
  Parameters theta(flat_layout("x", 2), {1, 2});
  const auto snapshot = theta.snapshot();
  const Parameters copy = theta;
  EXPECT_EQ(snapshot->data(), std::as_const(theta).values().data()) << "one buffer, until something changes";
  theta.step(1, std::vector<float>{1, 0});
  theta.values()[1] = 7;
  theta.slice("x")[1] += 1;
  EXPECT_THAT(theta.values(), ElementsAre(0, 8));
  EXPECT_THAT(*snapshot, ElementsAre(1, 2));
  EXPECT_THAT(copy.values(), ElementsAre(1, 2));
}

TEST(Parameters, WithoutASnapshotTheBufferStays) {
  Parameters theta(flat_layout("x", 2), {1, 2});
  const float* buffer = theta.values().data();
  theta.snapshot();
  theta.step(1, std::vector<float>{1, 0});
  EXPECT_EQ(theta.values().data(), buffer);
}

TEST(Parameters, StepGoesAgainstTheDirection) {
  Parameters theta(flat_layout("x", 3), {1, 2, 3});
  theta.step(0.5, std::vector<float>{2, 0, -2});
  EXPECT_THAT(theta.values(), ElementsAre(0, 2, 4));
  EXPECT_THROW(theta.step(0.5, std::vector<float>{1}), Error);
}

}  // namespace
}  // namespace paretofl
