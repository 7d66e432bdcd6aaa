#include "paretofl/serve/row_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// Bytes `begin` to `end` of the file, or fewer where it ends before.
std::string bytes_of(int file, std::uint64_t begin, std::uint64_t end) {
  std::string text(end - begin, '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::pread(file, text.data() + done, text.size() - done, static_cast<off_t>(begin + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  text.resize(done);
  return text;
}

/// A file of the folder itself: never a link to another one, nor a pipe on which opening would wait.
std::shared_ptr<const int> open_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  return {new int(descriptor), [](const int* open) {
            ::close(*open);
            delete open;
          }};
}

}  // namespace

bool RowFile::poll(const std::function<void()>& restart, const Check& check) {
  const FileStamp stamp = FileStamp::of(path_);
  if (stamp == stamp_) return false;
  const bool grown = stamp.same_file(stamp_) && stamp.size >= read_ && now_.damage.empty() && now_.file && last_row_stands();
  stamp_ = stamp;
  if (grown) {
    read_on(now_, check);
    return true;
  }
  restart();
  read_ = 0;
  torn_.clear();
  Version fresh;
  if (stamp.is_file()) fresh.file = open_file(path_);
  if (fresh.file) {
    stamp_ = FileStamp::of(*fresh.file);
    read_on(fresh, check);
  } else if (stamp.kind != FileStamp::Kind::kMissing) {
    fresh.damage = fmt::format("{}: expected a file that can be read, found none", path_.string());
  }
  replace(std::move(fresh));
  return true;
}

bool RowFile::last_row_stands() const {
  const std::uint64_t rows = now_.marks.size();
  if (rows == 0) return true;
  const std::string text = bytes_of(*now_.file, now_.end(rows - 1), now_.end(rows));
  return text.ends_with('\n') && now_.id(rows - 1).next(std::string_view(text).substr(0, text.size() - 1)) == now_.id(rows);
}

/// Up to where the file was long when it was looked at: what is being written meanwhile is for the next time.
void RowFile::read_on(Version& version, const Check& check) {
  constexpr std::uint64_t kChunk = 1 << 20;
  while (read_ < stamp_.size && version.damage.empty()) {
    const std::string chunk = bytes_of(*version.file, read_, std::min(stamp_.size, read_ + kChunk));
    if (chunk.empty()) return;
    read_ += chunk.size();
    take(chunk, version, check);
  }
}

void RowFile::take(std::string_view text, Version& version, const Check& check) {
  std::vector<Mark> found;
  std::uint64_t end = version.end(version.marks.size());
  EventId id = version.id(version.marks.size());
  std::string damage;
  try {
    while (!text.empty()) {
      const std::size_t line_end = text.find('\n');
      torn_ += text.substr(0, line_end);
      const std::string where = fmt::format("{}:{}", path_.filename().string(), id.rows + 1);
      expect(torn_.size() <= kMaxRow, "{}: expected at most {} bytes in a line, found more", where, kMaxRow);
      if (line_end == std::string_view::npos) break;
      check(torn_, where);
      id = id.next(torn_);
      end += torn_.size() + 1;
      found.push_back({end, id.digest});
      torn_.clear();
      text.remove_prefix(line_end + 1);
    }
  } catch (const Error& error) {
    damage = error.what();
  }
  const std::lock_guard lock(mutex_);
  version.marks.insert(version.marks.end(), found.begin(), found.end());
  version.damage = std::move(damage);
}

void RowFile::replace(Version fresh) {
  const std::lock_guard lock(mutex_);
  const auto same = [](const Mark& a, const Mark& b) { return a.digest == b.digest; };
  const auto first_other = std::mismatch(now_.marks.begin(), now_.marks.end(), fresh.marks.begin(), fresh.marks.end(), same).first;
  const auto kept = static_cast<std::uint64_t>(first_other - now_.marks.begin());
  if (kept < now_.marks.size()) {
    ++changes_;
    kept_ = kept;
  }
  now_ = std::move(fresh);
}

RowFile::Part RowFile::next(Position& position, std::uint64_t most) const {
  Part part;
  std::shared_ptr<const int> file;
  std::vector<std::uint64_t> ends;
  std::uint64_t begin = 0;
  {
    const std::lock_guard lock(mutex_);
    if (position.changes != changes_) {
      const std::uint64_t stand = position.changes + 1 == changes_ ? kept_ : 0;
      part.reset = position.id.rows > stand;
      if (part.reset) position.id = now_.id(stand);
      position.changes = changes_;
    }
    part.from = position.id;
    file = now_.file;
    begin = now_.end(position.id.rows);
    for (std::uint64_t row = position.id.rows + 1; row <= now_.marks.size(); ++row) {
      if (!ends.empty() && now_.end(row) - begin > most) break;
      ends.push_back(now_.end(row));
      part.ids.push_back(now_.id(row));
    }
  }
  if (!ends.empty()) {
    const std::string text = bytes_of(*file, begin, ends.back());
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::uint64_t from = i == 0 ? begin : ends[i - 1];
      const std::string_view row = ends[i] - begin <= text.size() ? std::string_view(text).substr(from - begin, ends[i] - from - 1) : "";
      const EventId before = i == 0 ? part.from : part.ids[i - 1];
      if (row.empty() || before.next(row) != part.ids[i]) {  // cut or rewritten in place: the next poll() finds out
        part.ids.resize(i);
        break;
      }
      part.rows.emplace_back(row);
    }
  }
  if (!part.ids.empty()) position.id = part.ids.back();
  return part;
}

RowFile::Position RowFile::resume(const EventId& id) const {
  const std::lock_guard lock(mutex_);
  Position position{id, changes_};
  if (id.rows > now_.marks.size() || now_.id(id.rows) != id) position.changes = changes_ - 2;  // so that none of its rows stand
  return position;
}

EventId RowFile::last() const {
  const std::lock_guard lock(mutex_);
  return now_.id(now_.marks.size());
}

std::string RowFile::damage() const {
  const std::lock_guard lock(mutex_);
  return now_.damage;
}

}  // namespace paretofl
