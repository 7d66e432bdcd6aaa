#include "paretofl/runtimes/mpi_link.h"

#include <utility>

namespace paretofl {

MpiLink::~MpiLink() {
  std::erase_if(sending_, [](MpiFrame& frame) { return frame.done(); });
  static auto& kept = *new std::list<MpiFrame>;  // MPI may work on them until the very end
  kept.splice(kept.end(), sending_);
  kept.splice(kept.end(), receiving_);
}

void MpiLink::send(std::uint64_t exchange, std::uint64_t index, std::vector<std::byte> bytes) {
  MpiFrame& frame = sending_.emplace_back();
  frame.header = {exchange, index, bytes.size()};
  frame.bytes = std::move(bytes);
  frame.post_send(rank_);
  ++unanswered_;
}

void MpiLink::send_stop() { send(0, MpiFrame::kStop, {}); }

std::optional<MpiFrame> MpiLink::receive(bool& moved) {
  moved = std::erase_if(sending_, [](MpiFrame& frame) { return frame.done(); }) > 0 || moved;
  if (unanswered_ == 0) return {};
  if (receiving_.empty()) {
    receiving_.emplace_back().post_header_receive(rank_);
    has_header_ = false;
  }
  MpiFrame& frame = receiving_.front();
  if (!frame.done()) return {};
  moved = true;
  heard_ = true;
  silent_ = false;
  if (!has_header_) {
    has_header_ = true;
    frame.post_bytes_receive(rank_);
    return {};
  }
  MpiFrame whole = std::move(frame);
  receiving_.clear();
  --unanswered_;
  return whole;
}

}  // namespace paretofl
