#include "paretofl/serve/file_stamp.h"

#include <sys/stat.h>

namespace paretofl {
namespace {

FileStamp stamp(const struct stat& found) {
  FileStamp stamp;
  stamp.kind = S_ISREG(found.st_mode)   ? FileStamp::Kind::kFile
               : S_ISDIR(found.st_mode) ? FileStamp::Kind::kFolder
               : S_ISLNK(found.st_mode) ? FileStamp::Kind::kLink
                                        : FileStamp::Kind::kOther;
  stamp.device = found.st_dev;
  stamp.inode = found.st_ino;
  stamp.size = static_cast<std::uint64_t>(found.st_size);
  stamp.modified = std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
  return stamp;
}

}  // namespace

FileStamp FileStamp::of(const std::filesystem::path& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0 ? stamp(found) : FileStamp();
}

FileStamp FileStamp::of(int descriptor) {
  struct stat found {};
  return ::fstat(descriptor, &found) == 0 ? stamp(found) : FileStamp();
}

}  // namespace paretofl
