#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "paretofl/core/error.h"

namespace paretofl {

/// A file or folder to read that is not there.
class MissingFile : public Error {
 public:
  MissingFile(std::filesystem::path path, const std::string& text) : Error(text), path_(std::move(path)) {}
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace paretofl
