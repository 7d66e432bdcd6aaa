#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace paretofl {

/// An empty folder for the test that runs.
inline std::filesystem::path table_folder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->test_suite_name()) + "_" + test->name();
  for (char& c : name) c = c == '/' ? '_' : c;
  const auto folder = std::filesystem::path(testing::TempDir()) / "paretofl_tables" / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

/// Writes files by their paths below the folder, whose folders are made.
inline void write_tables(const std::filesystem::path& folder, const std::map<std::string, std::string>& files) {
  for (const auto& [name, text] : files) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }
}

}  // namespace paretofl
