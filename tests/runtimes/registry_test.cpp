#include "paretofl/runtimes/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <cstdlib>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/runtimes/intra_op_threads.h"
#include "paretofl/wire/sendable.h"

namespace paretofl {
namespace {

TEST(Runtimes, UnknownNamesPrintTheKnownOnes) {
  try {
    runtimes().at("thread");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "runtime: expected one of threads, mpi, sockets, flower; found 'thread'; did you mean threads?");
  }
}

TEST(Runtimes, OptionsHaveRanges) {
  const auto options = [](std::string key, Settings::Value value) {
    const Settings settings{{{std::move(key), std::move(value)}}, {}};
    return read_options<RuntimeOptions>(settings, "runtime");
  };
  EXPECT_EQ(read_options<RuntimeOptions>({}, "runtime").threads, 2);
  EXPECT_EQ(options("threads", std::int64_t{256}).threads, 256);
  EXPECT_EQ(options("dropout_rate", 0.25).dropout_rate, 0.25);
  EXPECT_TRUE(options("through_wire", true).through_wire);
  EXPECT_THROW(options("threads", std::int64_t{0}), Error);
  EXPECT_THROW(options("threads", std::int64_t{257}), Error);
  EXPECT_THROW(options("dropout_rate", 1.0), Error);
  EXPECT_THROW(options("dropout_rate", -0.1), Error);
  EXPECT_THROW(options("thread", std::int64_t{1}), Error);
}

TEST(Sendable, LeavesAReplyThatCanBeEncoded) {
  Reply reply;
  reply.client = 4;
  reply.update = {1, 2};
  EXPECT_EQ(sendable(reply), reply);
}

TEST(Sendable, MakesAnErrorOfOneThatCannot) {
  Reply reply;
  reply.client = 4;
  Record* deepest = &reply.extra;
  for (int i = 0; i < 100; ++i) deepest = &deepest->records["in"];
  const Reply sent = sendable(reply);
  EXPECT_EQ(sent.client, 4);
  EXPECT_EQ(sent.error, "message: expected records nested at most 32 deep, found more");
  EXPECT_TRUE(sent.extra.empty());
}

TEST(IntraOpThreads, AreOne) {
  omp_set_num_threads(3);
  limit_intra_op_threads();
  EXPECT_EQ(omp_get_max_threads(), 1);
  EXPECT_STREQ(std::getenv("OPENBLAS_NUM_THREADS"), "1");
}

}  // namespace
}  // namespace paretofl
