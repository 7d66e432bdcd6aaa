// Bytes as the newest checkpoint file, after a whole one: loading gives them with the round they stand for,
// or a warning and the one before.
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "paretofl/runs/checkpoint_store.h"
#include "paretofl/wire/message.h"
#include "tests/wire/sealed.h"

namespace {

/// A folder that goes away with the process, with one whole checkpoint.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "paretofl_fuzz_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
    paretofl::CheckpointStore(path_).save(1, {});
  }
  ~Folder() { std::filesystem::remove_all(path_); }

  void check(std::span<const std::byte> newest) const {
    std::ofstream(path_ / "checkpoint-000002.bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(newest.data()), static_cast<std::streamsize>(newest.size()));
    const auto checkpoint = paretofl::CheckpointStore(path_).load_newest();
    if (!checkpoint) std::abort();
    const bool fell_back = checkpoint->round == 1 && checkpoint->warnings.size() == 1 && checkpoint->state.empty();
    const bool loaded = checkpoint->round == 2 && checkpoint->warnings.empty() &&
                        paretofl::encode(checkpoint->state) == std::vector<std::byte>(newest.begin(), newest.end());
    if (!fell_back && !loaded) std::abort();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  static const Folder kFolder;
  const auto bytes = std::as_bytes(std::span(data, size));
  kFolder.check(bytes);
  kFolder.check(paretofl::sealed(3, bytes));
  return 0;
}
