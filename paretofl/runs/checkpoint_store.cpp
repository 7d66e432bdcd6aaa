#include "paretofl/runs/checkpoint_store.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <system_error>

#include "paretofl/core/error.h"
#include "paretofl/files/durable_file.h"
#include "paretofl/wire/message.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "checkpoint-";
constexpr std::string_view kSuffix = ".bin";
constexpr const char* kWhat = "checkpoint";
constexpr const char* kRound = "checkpoint_round";  // what a checkpoint says it is of, whatever its file is called

[[noreturn]] void fail(std::string_view action, const fs::path& path, int error) {
  throw Error(fmt::format("checkpoint: expected to {} {}, found: {}", action, path.string(), std::generic_category().message(error)));
}

std::optional<std::uint32_t> round_of(const std::string& name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix) || name.size() <= kPrefix.size() + kSuffix.size()) return {};
  const char* end = name.data() + name.size() - kSuffix.size();
  std::uint32_t round = 0;
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, round);
  if (error != std::errc() || stop != end) return {};
  return round;
}

}  // namespace

CheckpointStore::CheckpointStore(fs::path folder, std::size_t keep) : folder_(std::move(folder)), keep_(keep) {
  expect(keep_ >= 1, "checkpoint: expected to keep at least 1 checkpoint, found {}", keep_);
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) fail("make the folder", folder_, error.value());
  remove_partial();
}

fs::path CheckpointStore::path_of(std::uint32_t round) const { return folder_ / fmt::format("{}{:06}{}", kPrefix, round, kSuffix); }

std::vector<std::string> CheckpointStore::file_names() const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder_, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) fail("list", folder_, error.value());
  return names;
}

std::vector<std::uint32_t> CheckpointStore::rounds() const {
  std::vector<std::uint32_t> rounds;
  for (const std::string& name : file_names()) {
    const auto round = round_of(name);
    if (round && path_of(*round).filename() == name) rounds.push_back(*round);
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds;
}

void CheckpointStore::remove_partial() const {
  for (const std::string& name : file_names()) {
    std::error_code error;
    if (name.starts_with(kPrefix) && name.ends_with(DurableFile::kPartial)) fs::remove(folder_ / name, error);
  }
}

void CheckpointStore::save(std::uint32_t round, Record state) {
  state.scalars[kRound] = round;
  const std::vector<std::byte> bytes = encode(state);
  remove_partial();
  DurableFile::replace(kWhat, path_of(round), bytes);

  std::vector<std::uint32_t> earlier = rounds();
  std::erase_if(earlier, [&](std::uint32_t other) { return other >= round; });
  for (std::size_t i = 0; i + keep_ <= earlier.size(); ++i) {
    std::error_code error;
    fs::remove(path_of(earlier[i]), error);
    if (error) fail("remove", path_of(earlier[i]), error.value());
  }
}

std::optional<Checkpoint> CheckpointStore::load_newest() const {
  std::vector<std::string> warnings;
  std::vector<std::uint32_t> newest_first = rounds();
  std::reverse(newest_first.begin(), newest_first.end());
  if (newest_first.empty()) return {};
  for (const std::uint32_t round : newest_first) {
    const fs::path path = path_of(round);
    try {
      Checkpoint checkpoint{round, decode_state(DurableFile::read(kWhat, path)), std::move(warnings)};
      const auto named = checkpoint.state.scalars.extract(kRound);
      if (!named.empty() && named.mapped() == round) return checkpoint;
      warnings = std::move(checkpoint.warnings);
      throw Error(fmt::format("expected the checkpoint of round {}, found {}", round,
                              named.empty() ? "one that does not name its round" : fmt::format("that of round {}", named.mapped())));
    } catch (const Error& error) {
      warnings.push_back(fmt::format("{}: {}", path.string(), error.what()));
    }
  }
  throw Error(fmt::format("checkpoint: expected a whole checkpoint in {}, found {} that can't be read: {}", folder_.string(),
                          newest_first.size(), fmt::join(warnings, "; ")));
}

}  // namespace paretofl
