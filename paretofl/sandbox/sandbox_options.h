#pragma once

#include <cstdint>
#include <string>

#include "paretofl/registry/options.h"

namespace paretofl {

/// What a program in the sandbox runs on and what it may use. Its memory in all is bounded by processes x memory_mb +
/// scratch_mb.
struct SandboxOptions {
  std::string python = "/usr/bin/python3";
  std::int64_t wall_seconds = 20;
  std::int64_t cpu_seconds = 10;  ///< of every process
  std::int64_t memory_mb = 512;   ///< address space of every process, in MiB
  std::int64_t processes = 4;     ///< at a time, threads included
  std::int64_t output_kb = 64;    ///< standard output and error together, in KiB
  std::int64_t scratch_mb = 16;   ///< the scratch folder, and every file in it, in MiB
  std::int64_t descriptors = 64;  ///< open files of every process

  void describe(OptionVisitor& visit);
};

}  // namespace paretofl
