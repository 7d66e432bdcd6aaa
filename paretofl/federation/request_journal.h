#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "paretofl/files/durable_file.h"

namespace paretofl {

/// The requests that a party's client has answered since its state was last written, each with its reply. Both are on disk before
/// the reply leaves, so that a process that was killed answers them again from the same state.
class RequestJournal {
 public:
  struct Entry {
    std::vector<std::byte> request;  ///< as encode(PartyRequest) gives it
    std::vector<std::byte> reply;    ///< as encode(Reply) gives it
  };

  /// Opens the journal at the path, makes an empty one where there is none, and passes on its entries in order. What a crash left
  /// unfinished at its end is cut off: no reply to it has left. Throws Error where an entry is damaged.
  RequestJournal(const std::filesystem::path& path, const std::function<void(Entry)>& on_entry);

  /// Throws Error where the disk doesn't take it; what was written of it is cut off again, if the disk takes that, and the journal must be
  /// opened again.
  void append(const Entry& entry);

 private:
  DurableFile file_;
  std::size_t size_ = 0;  ///< bytes of whole entries
};

}  // namespace paretofl
