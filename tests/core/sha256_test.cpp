#include "paretofl/core/sha256.h"

#include <gtest/gtest.h>

#include <string_view>

namespace paretofl {
namespace {

std::string hash_of(std::string_view text) { return sha256_hex(std::as_bytes(std::span(text.data(), text.size()))); }

TEST(Sha256, MeetsThePublishedVectors) {
  EXPECT_EQ(hash_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace paretofl
