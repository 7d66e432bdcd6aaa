#include "paretofl/sandbox/sandbox_options.h"

namespace paretofl {

void SandboxOptions::describe(OptionVisitor& visit) {
  visit.text("python", python, "the Python interpreter");
  visit.integer("wall_seconds", wall_seconds, 1, 3600, "a program is killed after this time");
  visit.integer("cpu_seconds", cpu_seconds, 1, 3600, "processor time of each process");
  visit.integer("memory_mb", memory_mb, 64, 1 << 20, "address space of each process, in MiB");
  visit.integer("processes", processes, 2, 1024, "largest number of processes and threads at a time");
  visit.integer("output_kb", output_kb, 1, 1 << 20, "largest output, in KiB");
  visit.integer("scratch_mb", scratch_mb, 1, 1 << 16, "largest size of the scratch folder, in MiB");
  visit.integer("descriptors", descriptors, 16, 4096, "largest number of open files of each process");
}

}  // namespace paretofl
