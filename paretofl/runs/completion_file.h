#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace paretofl {

/// A run's training_completions.jsonl: lines of JSON that begin with the number of their round, in the order of the rounds.
class CompletionFile {
 public:
  static constexpr const char* kName = "training_completions.jsonl";

  explicit CompletionFile(const std::filesystem::path& run) : path_(run / kName) {}

  /// Keeps the lines of rounds 1 .. `round`, and drops later ones and a half-written one. Throws Error on a line without a round before
  /// those.
  void rewind(std::uint32_t round) const;
  /// Adds lines of a round, and makes the file if there is none. Throws Error where they can't be written.
  void append(const std::string& lines) const;

 private:
  std::filesystem::path path_;
};

}  // namespace paretofl
