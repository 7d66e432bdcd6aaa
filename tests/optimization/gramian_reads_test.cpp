#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "paretofl/optimization/gramian.h"

namespace paretofl {
namespace {

// A page that can't be read follows the Jacobian's last entry. Optimizers have read on there.
TEST(GramianReads, NothingBeyondTheJacobian) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const std::size_t columns : {1, 7, 8, 100, 5000, 28515}) {
    for (std::size_t objectives = 1; objectives <= 5; ++objectives) {
      const std::size_t bytes = columns * objectives * sizeof(float);
      const std::size_t mapped = (bytes + page - 1) / page * page;
      void* memory = mmap(nullptr, mapped + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      ASSERT_NE(memory, MAP_FAILED);
      ASSERT_EQ(mprotect(static_cast<char*>(memory) + mapped, page, PROT_NONE), 0);
      auto* jacobian = reinterpret_cast<float*>(static_cast<char*>(memory) + (mapped - bytes));
      std::fill_n(jacobian, columns * objectives, 2.0F);
      const Gramian gramian = gramian_of_rows({jacobian, columns * objectives}, objectives);
      EXPECT_EQ(gramian(0, objectives - 1), 4.0 * static_cast<double>(columns));
      munmap(memory, mapped + page);
    }
  }
}

}  // namespace
}  // namespace paretofl
