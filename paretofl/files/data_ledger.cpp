#include "paretofl/files/data_ledger.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <atomic>
#include <mutex>
#include <set>

namespace paretofl {
namespace {

struct Ledger {
  std::mutex guard;
  std::filesystem::path root;
  std::set<std::string> entries;
  std::atomic<bool> listening = false;
};

Ledger& ledger() {
  static Ledger single;
  return single;
}

std::string digest(const void* bytes, std::size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(bytes, size);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

void DataLedger::begin(const std::filesystem::path& root) {
  const std::lock_guard lock(ledger().guard);
  ledger().root = root.lexically_normal();
  ledger().entries.clear();
  ledger().listening = true;
}

void DataLedger::note(const std::filesystem::path& file, std::span<const std::byte> content) {
  if (!ledger().listening) return;
  const std::string sum = digest(content.data(), content.size());
  const std::lock_guard lock(ledger().guard);
  const std::filesystem::path path = file.lexically_normal();
  const std::filesystem::path below = path.lexically_relative(ledger().root);
  const bool within = !below.empty() && *below.begin() != "..";
  ledger().entries.insert(fmt::format("{}\n{}\n{}\n", (within ? below : path).generic_string(), content.size(), sum));
}

std::string DataLedger::fingerprint() {
  const std::lock_guard lock(ledger().guard);
  if (ledger().entries.empty()) return "";
  std::string all;
  for (const std::string& entry : ledger().entries) all += entry;
  return digest(all.data(), all.size());
}

}  // namespace paretofl
