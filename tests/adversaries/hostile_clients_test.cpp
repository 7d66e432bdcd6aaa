#include "paretofl/adversaries/hostile_clients.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/adversaries/altered_reply.h"
#include "paretofl/compressors/compressor.h"
#include "paretofl/core/error.h"
#include "paretofl/workloads/quadratics.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const Quadratics& lied_to() {
  static const Quadratics kProblem({.clients = 10, .objectives = 3, .dimension = 6}, 5);
  return kProblem;
}

Adversary adversary_named(const std::string& name, std::map<std::string, Settings::Value> values = {}) {
  Settings settings;
  for (auto& [key, value] : values) settings.values.emplace(key, value);
  return make_adversary({name, settings});
}

Reply full_reply() {
  Reply reply;
  reply.num_samples = 7;
  reply.update = {1, -2, 3};
  reply.losses = {0.5, 4};
  reply.extra.scalars = {{"loss", 2}};
  reply.extra.texts = {{"cluster", "a"}};
  reply.extra.arrays.emplace("left", Array(std::vector<float>{1, 2}));
  reply.extra.arrays.emplace("right", Array(std::vector<float>{3, 4}));
  reply.extra.arrays.emplace("where", Array(std::vector<std::int64_t>{1, 2, 3}));
  reply.extra.records["inner"].arrays.emplace("gramian", Array(std::vector<double>{5, 6, 7, 8}, {2, 2}));
  return reply;
}

TEST(AlteredReply, ScalesTheUpdateAndTheLargestArrayOfRealNumbers) {
  Reply reply = full_reply();
  scale_numbers(reply, -10);
  EXPECT_THAT(reply.update, ElementsAre(-10, 20, -30));
  EXPECT_THAT(reply.extra.array("left").floats(), ElementsAre(-10, -20));
  EXPECT_THAT(reply.extra.array("right").floats(), ElementsAre(3, 4));
  EXPECT_THAT(reply.extra.array("where").ints(), ElementsAre(1, 2, 3));
  EXPECT_THAT(reply.extra.record("inner").array("gramian").doubles(), ElementsAre(-50, -60, -70, -80));
  EXPECT_THAT(reply.losses, ElementsAre(0.5, 4));
  EXPECT_EQ(reply.extra.scalar("loss"), 2);
}

TEST(AlteredReply, SpoilsEveryRealNumber) {
  Reply reply = full_reply();
  spoil_numbers(reply);
  EXPECT_THAT(reply.update, testing::Each(testing::IsNan()));
  EXPECT_THAT(reply.losses, testing::Each(testing::IsNan()));
  EXPECT_THAT(reply.extra.array("right").floats(), testing::Each(testing::IsNan()));
  EXPECT_THAT(reply.extra.record("inner").array("gramian").doubles(), testing::Each(testing::IsNan()));
  EXPECT_EQ(reply.extra.record("inner").array("gramian").shape(), (std::vector<std::int64_t>{2, 2}));
  EXPECT_TRUE(std::isnan(reply.extra.scalar("loss")));
  EXPECT_EQ(reply.num_samples, 7);
}

TEST(AlteredReply, RepeatsAndLeavesOut) {
  Reply reply = full_reply();
  repeat_numbers(reply);
  EXPECT_THAT(reply.update, ElementsAre(1, -2, 3, 1, -2, 3, 0));
  EXPECT_EQ(reply.losses.size(), 4U);
  EXPECT_THAT(reply.extra.array("where").ints(), ElementsAre(1, 2, 3, 1, 2, 3));
  EXPECT_EQ(reply.extra.record("inner").array("gramian").size(), 8U);
  Reply bare = full_reply();
  leave_out_fields(bare);
  EXPECT_TRUE(bare.extra.empty());
  EXPECT_EQ(bare.update, full_reply().update);
  EXPECT_EQ(bare.losses, full_reply().losses);
}

TEST(AlteredReply, ASketchIsScaledAsItsJacobian) {
  Random random({3, 0, 0}, "jacobian");
  std::vector<float> jacobian(2 * 60);
  for (float& x : jacobian) x = static_cast<float>(random.normal());
  for (const RegistryEntry* entry : compressors().entries()) {
    const auto compressor = make_compressor({entry->name, {}});
    Reply reply;
    reply.extra = compressor->compress(jacobian, 2, Random({4, 0, 0}, "sketch"));
    if (compressor->protocol() == GramianProtocol::kOwnGramians) continue;
    std::vector<float> before(jacobian.size()), after(jacobian.size());
    compressor->reconstruct(reply.extra, 2, before);
    scale_numbers(reply, -8);
    compressor->reconstruct(reply.extra, 2, after);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], -8 * before[i], 1e-5 * (1 + std::abs(before[i]))) << entry->name;
  }
}

TEST(HostileClients, FollowFromTheSeed) {
  const auto hostile = [](std::uint64_t seed, double share) {
    return HostileClients(adversary_named("sign_flip", {{"share", share}}), seed, lied_to()).clients();
  };
  EXPECT_EQ(hostile(1, 0.2).size(), 2U);
  EXPECT_EQ(hostile(1, 0.26).size(), 3U);
  EXPECT_EQ(hostile(1, 1).size(), 10U);
  EXPECT_EQ(hostile(1, 0.2), hostile(1, 0.2));
  std::set<std::set<int>> drawn;
  for (std::uint64_t seed = 0; seed < 20; ++seed) drawn.insert(hostile(seed, 0.2));
  EXPECT_GT(drawn.size(), 10U);
  EXPECT_TRUE(HostileClients(adversary_named("none"), 1, lied_to()).clients().empty());
  EXPECT_EQ(&HostileClients(adversary_named("scale"), 1, lied_to()).workload(), &lied_to());
}

TEST(HostileClients, NegateOneObjectiveWhereTheyPoisonIt) {
  const HostileClients hostile(adversary_named("poison_objective", {{"objective", std::int64_t{1}}}), 1, lied_to());
  const std::size_t size = lied_to().layout()->size();
  const std::vector<float> theta(size, 0.3F);
  const Draw draw{Random({1, 1, 0}, "train"), 0};
  for (int client = 0; client < 10; ++client) {
    const double sign = hostile.clients().contains(client) ? -1 : 1;
    std::vector<double> honest_losses(3), losses(3);
    std::vector<float> honest(3 * size), found(3 * size);
    lied_to().oracle(client)->jacobian(theta, draw, honest_losses, honest);
    hostile.workload().oracle(client)->jacobian(theta, draw, losses, found);
    EXPECT_EQ(losses, (std::vector{honest_losses[0], sign * honest_losses[1], honest_losses[2]}));
    const auto expect_poisoned = [&] {
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], (i / size == 1 ? static_cast<float>(sign) : 1) * honest[i]);
    };
    expect_poisoned();
    const LocalTrainingOptions options{};
    for (const bool poisoned : {false, true}) {
      const auto steps = (poisoned ? hostile.workload() : lied_to()).objective_steps(client, options);
      steps->start_round({1, 1, static_cast<std::uint32_t>(client)});
      steps->jacobian(0, theta, losses, poisoned ? found : honest);
    }
    expect_poisoned();
    const auto rewards = hostile.workload().reward_steps(client);
    rewards->start_round({1, 1, static_cast<std::uint32_t>(client)});
    std::vector<float> gradient(size);
    rewards->step(0, theta, std::vector<double>{0, 1, 0}, gradient, {});
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(gradient[i], found[size + i], 1e-5);
    std::vector<float> honest_model = theta, model = theta;
    lied_to().learner(client, options)->train(honest_model, {1, 1, 0});
    hostile.workload().learner(client, options)->train(model, {1, 1, 0});
    EXPECT_EQ(model == honest_model, sign > 0);
  }
}

TEST(HostileClients, BadOptionsAreOneError) {
  const auto made = [](const Adversary& adversary) { HostileClients(adversary, 1, lied_to()); };
  EXPECT_THAT(
      [&] {
        made(adversary_named("not_finite", {{"share", 0.01}}));
      },
      ThrowsMessage<Error>(HasSubstr("adversary.share: expected a share of 10 clients that is at least one of them, found 0.01")));
  EXPECT_THAT(
      [&] {
        made(adversary_named("poison_objective", {{"objective", std::int64_t{3}}}));
      },
      ThrowsMessage<Error>(HasSubstr("adversary.objective: expected a number below 3, found 3")));
  EXPECT_THROW(adversary_named("not_finite", {{"share", 1.5}}), Error);
  EXPECT_THROW(adversary_named("not_finite", {{"factor", 2.0}}), Error);
  EXPECT_THROW(adversary_named("none", {{"share", 0.2}}), Error);
  EXPECT_THAT([] { adversary_named("sign"); }, ThrowsMessage<Error>(HasSubstr("sign_flip")));
}

}  // namespace
}  // namespace paretofl
