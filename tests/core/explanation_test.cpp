#include "paretofl/core/explanation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <new>
#include <system_error>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

TEST(Explanation, IsTheTextOfAnError) { EXPECT_EQ(explanation(Error("a: expected b, found c")), "a: expected b, found c"); }

TEST(Explanation, NamesTheFileThatTheStandardLibraryCouldNotLookAt) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "explanation";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::filesystem::create_symlink("loop", folder / "loop");
  try {
    (void)std::filesystem::exists(folder / "loop");
    FAIL();
  } catch (const std::exception& failure) {
    EXPECT_EQ(explanation(failure),
              (folder / "loop").string() + ": expected a file or folder that can be looked at, found: Too many levels of symbolic links");
  }
}

TEST(Explanation, SaysWhatIsMissing) {
  EXPECT_EQ(explanation(std::bad_alloc()), "memory: expected enough memory for this request, found too little");
  EXPECT_EQ(explanation(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again))),
            "system: expected a resource such as another thread, found: Resource temporarily unavailable");
}

}  // namespace
}  // namespace paretofl
