#include "paretofl/federation/request_journal.h"

#include <fcntl.h>

#include <optional>

#include "paretofl/core/error.h"
#include "paretofl/wire/message.h"

namespace paretofl {
namespace {

constexpr const char* kJournal = "party's journal";
constexpr const char* kRequest = "request";
constexpr const char* kReply = "reply";

Array bytes_array(std::span<const std::byte> bytes) {
  return Array(Array::Type::kUint8, {static_cast<std::int64_t>(bytes.size())}, {bytes.begin(), bytes.end()});
}

std::vector<std::byte> bytes_of(const Record& record, const char* name) {
  const auto bytes = std::as_bytes(record.array(name).uints());
  return {bytes.begin(), bytes.end()};
}

}  // namespace

RequestJournal::RequestJournal(const std::filesystem::path& path, const std::function<void(Entry)>& on_entry)
    : file_(kJournal, path, O_WRONLY | O_CREAT | O_APPEND) {
  const std::vector<std::byte> all = DurableFile::read(kJournal, path);
  std::span<const std::byte> left(all);
  const auto next = [&]() -> std::optional<Entry> {
    try {
      const auto size = message_size(left);
      if (!size || *size > left.size()) return {};
      const Record entry = decode_state(left.first(*size));
      left = left.subspan(*size);
      return Entry{bytes_of(entry, kRequest), bytes_of(entry, kReply)};
    } catch (const Error& damage) {
      throw Error(fmt::format("{}: expected whole entries in {}, found at byte {}: {}", kJournal, path.string(), all.size() - left.size(),
                              damage.what()));
    }
  };
  while (auto entry = next()) on_entry(std::move(*entry));
  size_ = all.size() - left.size();
  if (!left.empty()) file_.cut(size_);
}

void RequestJournal::append(const Entry& entry) {
  Record record;
  record.arrays.emplace(kRequest, bytes_array(entry.request));
  record.arrays.emplace(kReply, bytes_array(entry.reply));
  const std::vector<std::byte> bytes = encode(record);
  try {
    file_.write(bytes);
    file_.sync();
  } catch (const Error&) {
    try {
      file_.cut(size_);
    } catch (const Error&) {  // it says no more than the failure itself
    }
    throw;
  }
  size_ += bytes.size();
}

}  // namespace paretofl
