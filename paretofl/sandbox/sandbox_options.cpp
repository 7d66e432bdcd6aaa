#include "paretofl/sandbox/sandbox_options.h"

namespace paretofl {

void SandboxOptions::describe(OptionVisitor& visit) {
  visit.text("python", python, "the Python interpreter");
  visit.integer("wall_seconds", wall_seconds, 1, 3600, "time until a program is killed, whatever it does");
  visit.integer("cpu_seconds", cpu_seconds, 1, 3600, "computing time of each of its processes");
  visit.integer("memory_mb", memory_mb, 64, 1 << 20, "address space of each of its processes, in MiB");
  visit.integer("processes", processes, 2, 1024, "its processes and threads at a time");
  visit.integer("output_kb", output_kb, 1, 1 << 20, "what it may print, in KiB");
  visit.integer("scratch_mb", scratch_mb, 1, 1 << 16, "what it may write to its scratch folder, in MiB");
  visit.integer("descriptors", descriptors, 16, 4096, "files that each of its processes may have open");
}

}  // namespace paretofl
