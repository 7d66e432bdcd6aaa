// The mpi runtime of a build without MPI; mpi_test.cpp is that of one with it.
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/runtimes/mpi.h"

namespace paretofl {
namespace {

TEST(Mpi, IsAnErrorInABuildWithoutIt) {
  ThreadPool pool(1);
  EXPECT_THROW(make_mpi_runtime({}, pool, [](int) { return nullptr; }), Error);
}

}  // namespace
}  // namespace paretofl
