#include "paretofl/secure_sums/secret_shares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "paretofl/privacy/fixed_point.h"
#include "paretofl/secure_sums/key_pair.h"
#include "paretofl/secure_sums/mask_graph.h"
#include "paretofl/secure_sums/mask_stream.h"
#include "paretofl/secure_sums/sealed_message.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Secret numbered_secret(std::uint8_t number) {
  Secret secret;
  for (std::size_t i = 0; i < Secret::kSize; ++i) secret.bytes()[i] = static_cast<std::uint8_t>(number * 7 + i * 31);
  return secret;
}

std::vector<std::uint8_t> from_hex(const std::string& hex) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

TEST(SecretShares, AnyThresholdOfThemGivesTheSecretBack) {
  Random random({3}, "shares");
  for (const auto& [threshold, count] : {std::pair(1, 1), std::pair(2, 3), std::pair(7, 10), std::pair(255, 255), std::pair(130, 200)}) {
    const Secret secret = numbered_secret(static_cast<std::uint8_t>(threshold));
    const auto shares = split_secret(secret, static_cast<std::size_t>(threshold), static_cast<std::size_t>(count), numbered_secret(9));
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<NumberedShare> chosen;
      for (const std::size_t i : random.sample_without_replacement(shares.size(), static_cast<std::size_t>(threshold))) {
        chosen.push_back({i, shares[i]});
      }
      EXPECT_EQ(join_shares(chosen), secret);
      if (threshold == 1) continue;
      chosen.pop_back();
      EXPECT_NE(join_shares(chosen), secret);
    }
  }
}

TEST(SecretShares, FewerSayNothing) {
  // Whatever the secret, each value of one share of two is as likely: over all coefficients it is a bijection.
  for (const std::uint8_t number : {1, 2}) {
    std::vector<int> seen(256);
    for (int i = 0; i < 4096; ++i) {
      Secret randomness = numbered_secret(5);
      randomness.bytes()[0] = static_cast<std::uint8_t>(i);
      randomness.bytes()[1] = static_cast<std::uint8_t>(i >> 8);
      ++seen[split_secret(numbered_secret(number), 2, 2, randomness)[0].bytes()[0]];
    }
    double chi_square = 0;
    for (const int count : seen) chi_square += (count - 16.0) * (count - 16.0) / 16.0;
    EXPECT_LT(chi_square, 255 + 5 * 22.6);  // five standard deviations
  }
}

TEST(SecretShares, BadOnesAreRefused) {
  EXPECT_THAT([] { split_secret({}, 3, 2, {}); }, ThrowsMessage<Error>(HasSubstr("found 3 of 2")));
  EXPECT_THAT([] { split_secret({}, 0, 2, {}); }, ThrowsMessage<Error>(HasSubstr("found 0 of 2")));
  EXPECT_THAT([] { split_secret({}, 2, 256, {}); }, ThrowsMessage<Error>(HasSubstr("found 2 of 256")));
  const std::vector<NumberedShare> twice{{1, {}}, {1, {}}};
  EXPECT_THAT([&] { join_shares(twice); }, ThrowsMessage<Error>(HasSubstr("different numbers")));
  EXPECT_THAT([&] { join_shares({}); }, ThrowsMessage<Error>(HasSubstr("at least one")));
}

TEST(KeyPair, ReachesTheSecretOfTheStandard) {  // RFC 7748, section 6.1
  const KeyPair alice(Secret(from_hex("77076d0a7318a57d3c16c17251b26645df4c2f92ebc099ec0f37ac6a6aef4cb9")));
  const KeyPair bob(Secret(from_hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")));
  const auto key = from_hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
  EXPECT_TRUE(std::equal(key.begin(), key.end(), bob.public_key().begin()));
  EXPECT_EQ(alice.shared_with(bob.public_key()), bob.shared_with(alice.public_key()));
  EXPECT_NE(alice.shared_with(bob.public_key()), alice.shared_with(alice.public_key()));
}

TEST(KeyPair, PointsOfSmallOrderAreRefused) {
  EXPECT_THAT([] { KeyPair(numbered_secret(1)).shared_with(PublicKey{}); }, ThrowsMessage<Error>(HasSubstr("expected a public key")));
}

TEST(DerivedSecret, IsWhatTheStandardSays) {  // RFC 5869's HKDF-SHA256, computed by another program
  EXPECT_EQ(numbered_secret(0).derive("test"), Secret(from_hex("f99de56a92c22ddc3557531acaacb3646670bb0ff668b8463d2c5285ff254113")));
  EXPECT_NE(numbered_secret(1).derive("a"), numbered_secret(1).derive("b"));
  EXPECT_NE(numbered_secret(1).derive("a"), numbered_secret(2).derive("a"));
  EXPECT_NE(Secret::random(), Secret::random());
}

TEST(SealedMessage, OpensForItsKeyAndContextAlone) {
  const std::vector<std::uint8_t> message{1, 2, 3};
  auto sealed = seal(numbered_secret(1), "here", message);
  EXPECT_EQ(sealed.size(), message.size() + kSealBytes);
  EXPECT_EQ(open_sealed(numbered_secret(1), "here", sealed), message);
  EXPECT_THAT([&] { open_sealed(numbered_secret(2), "here", sealed); }, ThrowsMessage<Error>(HasSubstr("found an altered one")));
  EXPECT_THAT([&] { open_sealed(numbered_secret(1), "there", sealed); }, ThrowsMessage<Error>(HasSubstr("found an altered one")));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    sealed[i] ^= 1;
    EXPECT_THAT([&] { open_sealed(numbered_secret(1), "here", sealed); }, ThrowsMessage<Error>(HasSubstr("found an altered one"))) << i;
    sealed[i] ^= 1;
  }
  sealed.resize(15);
  EXPECT_THAT([&] { open_sealed(numbered_secret(1), "here", sealed); }, ThrowsMessage<Error>(HasSubstr("at least 16 bytes")));
}

TEST(MaskStream, IsTakenAwayAgain) {
  std::vector<std::uint64_t> values(5000, 42);
  add_mask(numbered_secret(1), values);
  EXPECT_EQ(std::count(values.begin(), values.end(), 42U), 0);
  std::vector<std::uint8_t> stream(8 * values.size());
  fill_from(numbered_secret(1), stream);
  std::uint64_t last = 0;
  for (std::size_t i = 8; i-- > 0;) last = (last << 8U) | stream[8 * 4999 + i];
  EXPECT_EQ(values[4999], 42 + last);
  subtract_mask(numbered_secret(1), values);
  EXPECT_EQ(std::count(values.begin(), values.end(), 42U), 5000);
}

TEST(FixedPoint, SumsAreExactAndOverflowIsRefused) {
  const FixedPoint fixed(32, 4);
  EXPECT_EQ(fixed.decode(fixed.encode(-1.25)), -1.25);
  EXPECT_EQ(fixed.decode(fixed.encode(0.5) + fixed.encode(-3)), -2.5);
  EXPECT_NEAR(fixed.decode(fixed.encode(0.1)), 0.1, fixed.resolution() / 2);
  const double most = std::nextafter(fixed.bound(), 0);
  EXPECT_NEAR(fixed.decode(4 * fixed.encode(most)), 4 * most, 1e-6 * most);
  EXPECT_NEAR(fixed.decode(4 * fixed.encode(-most)), -4 * most, 1e-6 * most);
  for (const double bad : {fixed.bound(), -fixed.bound(), 1e300, std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_THAT([&] { fixed.encode(bad); }, ThrowsMessage<Error>(HasSubstr("expected numbers below"))) << bad;
  }
}

TEST(MaskGraph, JoinsBothWays) {
  std::vector<int> clients;
  for (int i = 0; i < 60; ++i) clients.push_back(3 * i);
  for (const std::size_t degree : {2U, 10U, 58U, 60U, 254U}) {
    const auto graph = mask_graph(clients, degree, Random({1}, "graph"));
    ASSERT_EQ(graph.size(), 60U);
    for (const auto& [client, neighbours] : graph) {
      EXPECT_EQ(neighbours.size(), std::min<std::size_t>(degree, 59));
      EXPECT_TRUE(std::is_sorted(neighbours.begin(), neighbours.end()));
      for (const int neighbour : neighbours) {
        EXPECT_NE(neighbour, client);
        EXPECT_TRUE(std::binary_search(graph.at(neighbour).begin(), graph.at(neighbour).end(), client));
      }
    }
  }
  EXPECT_NE(mask_graph(clients, 4, Random({1}, "graph")), mask_graph(clients, 4, Random({2}, "graph")));
  EXPECT_THAT([&] { mask_graph(clients, 3, Random({1}, "graph")); }, ThrowsMessage<Error>(HasSubstr("an even number of neighbours")));
}

}  // namespace
}  // namespace paretofl
