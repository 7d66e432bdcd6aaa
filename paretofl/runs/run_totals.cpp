#include "paretofl/runs/run_totals.h"

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/runs/process_usage.h"

namespace paretofl {

void RunTotals::add(const RoundReport& report) {
  bytes_up += static_cast<double>(report.bytes_up);
  bytes_down += static_cast<double>(report.bytes_down);
  abandoned += report.abandoned ? 1 : 0;
  late += static_cast<double>(report.late);
  failures += static_cast<double>(report.failures.size());
  simulated_seconds += report.simulated_seconds.value_or(0);
  abandoned_in_a_row = report.abandoned ? abandoned_in_a_row + 1 : 0;
}

void RunTotals::account_time() {
  const auto now = std::chrono::steady_clock::now();
  const double cpu = process_cpu_seconds();
  wall_seconds += std::chrono::duration<double>(now - accounted_wall_).count();
  cpu_seconds += cpu - accounted_cpu_;
  accounted_wall_ = now;
  accounted_cpu_ = cpu;
}

Record RunTotals::save() const {
  Record record;
  record.scalars = {{"bytes_up", bytes_up},
                    {"bytes_down", bytes_down},
                    {"wall_seconds", wall_seconds},
                    {"cpu_seconds", cpu_seconds},
                    {"abandoned_in_a_row", abandoned_in_a_row},
                    {"abandoned", abandoned},
                    {"late", late},
                    {"failures", failures},
                    {"simulated_seconds", simulated_seconds}};
  return record;
}

void RunTotals::load(const Record& record) {
  bytes_up = record.scalar("bytes_up");
  bytes_down = record.scalar("bytes_down");
  wall_seconds = record.scalar("wall_seconds");
  cpu_seconds = record.scalar("cpu_seconds");
  abandoned_in_a_row = record.scalar("abandoned_in_a_row");
  abandoned = record.scalar("abandoned");
  late = record.scalar("late");
  failures = record.scalars.contains("failures") ? record.scalar("failures") : 0;
  simulated_seconds = record.scalar("simulated_seconds");
  for (const double total :
       {bytes_up, bytes_down, wall_seconds, cpu_seconds, abandoned_in_a_row, abandoned, late, failures, simulated_seconds}) {
    expect(std::isfinite(total) && total >= 0, "checkpoint: expected totals of at least 0, found {}", total);
  }
}

}  // namespace paretofl
