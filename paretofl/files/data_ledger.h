#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace paretofl {

/// Records which data sets, models and tokenizers this process has read, so that a resumed run can check that it reads the same ones.
/// Every function that reads such a file whole notes its content here. Safe to call from several threads.
class DataLedger {
 public:
  /// Forgets everything and records from now on; called before the workload of a run is made. `root` is the folder of the data sets.
  static void begin(const std::filesystem::path& root);
  /// Notes a file's content, under its path from the root, so that the root may move while a folder within may mean a class. What lies
  /// elsewhere is noted under its path as it is. Does nothing before begin().
  static void note(const std::filesystem::path& file, std::span<const std::byte> content);
  /// 32 hexadecimal digits that depend on the names and contents noted, whatever their order or repetition; empty if nothing was.
  static std::string fingerprint();
};

}  // namespace paretofl
