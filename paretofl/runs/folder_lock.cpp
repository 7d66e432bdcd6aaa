#include "paretofl/runs/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"

namespace paretofl {

FolderLock::FolderLock(const std::filesystem::path& folder, std::string_view holder, std::chrono::milliseconds patience)
    : descriptor_(::open((folder / kFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  expect(descriptor_ >= 0, "{}: expected to write in {}, found: {}", holder, folder.string(), std::strerror(errno));
  constexpr std::chrono::milliseconds kPause{100};
  int failure = 0;
  for (;; patience -= kPause) {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    failure = errno;
    if (failure != EWOULDBLOCK || patience.count() <= 0) break;
    std::this_thread::sleep_for(kPause);
  }
  if (failure != EWOULDBLOCK) {
    warn("{} can't be locked ({}); no other {} may work in it", folder.string(), std::strerror(failure), holder);
    return;
  }
  ::close(descriptor_);
  throw Error(fmt::format("{}: expected no other {} at work in {}, found one", holder, holder, folder.string()));
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace paretofl
