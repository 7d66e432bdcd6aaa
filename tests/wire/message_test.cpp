#include "paretofl/wire/message.h"
#include <gtest/gtest.h>
using namespace paretofl;
TEST(Message, Smoke) {
  Envelope e{3, Request("train").with(std::vector<float>{1, 2, 3}).with_objective_weights({0.5, 0.5})};
  e.request.extra.arrays.emplace("a", Array(std::vector<float>{1, 2}, {2, 1}));
  e.request.extra.records["r"].texts["t"] = "x";
  EXPECT_EQ(decode_envelope(encode(e)), e);
  EXPECT_EQ(encode(e).size(), encoded_size(e));
}
