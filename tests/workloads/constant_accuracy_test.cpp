#include "paretofl/workloads/constant_accuracy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using Labels = std::vector<std::uint8_t>;

TEST(ConstantAccuracy, AnswersTheMostFrequentTrainingLabel) {
  const Head classes{.outputs = 3, .loss = Loss::kNll};
  EXPECT_DOUBLE_EQ(constant_accuracy(classes, Labels{2, 2, 0, 1}, Labels{0, 2, 0, 0}), 0.25);
  EXPECT_DOUBLE_EQ(constant_accuracy(classes, Labels{0, 2, 0, 0}, Labels{0, 2, 0, 0}), 0.75);
}

TEST(ConstantAccuracy, AnswersEachAttributeByItself) {
  const Head bits{.outputs = 2, .loss = Loss::kBinary};
  // Trained to answer 1 for the first attribute and 0 for the second.
  EXPECT_DOUBLE_EQ(constant_accuracy(bits, Labels{0b01, 0b01, 0b10}, Labels{0b10, 0b11}), (0.5 + 0.0) / 2);
}

TEST(ConstantAccuracy, RejectsNoLabels) {
  EXPECT_THAT([] { constant_accuracy(Head{}, {}, Labels{0}); },
              ThrowsMessage<Error>(HasSubstr("expected training and test labels, found 0 and 1")));
}

}  // namespace
}  // namespace paretofl
