#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include "paretofl/runtimes/mpi_frame.h"

namespace paretofl {

/// The leader's side of what it exchanges with one follower, from exchange to exchange. Nothing here waits: what is sent stays in memory
/// until MPI has taken it, and at most `window` requests are under way to the follower, whether it answers or not.
class MpiLink {
 public:
  MpiLink(int rank, std::size_t window) : rank_(rank), window_(window) {}
  /// Frames that MPI still works on stay where they are until the process ends.
  ~MpiLink();
  MpiLink(MpiLink&&) noexcept = default;
  MpiLink(const MpiLink&) = delete;

  int rank() const { return rank_; }

  /// Whether one more request may be sent.
  bool has_room() const { return unanswered_ < window_; }

  void send(std::uint64_t exchange, std::uint64_t index, std::vector<std::byte> bytes);
  /// Tells the follower that no more requests will come. It answers with a farewell, which receive() returns.
  void send_stop();

  /// The next message that has arrived as a whole. Sets `moved` if it or a part of it has arrived.
  std::optional<MpiFrame> receive(bool& moved);

  /// Whether the follower answered nothing during an exchange that lasted until its deadline, although it had as many requests as it may
  /// have, and has not been heard of since.
  bool silent() const { return silent_; }
  void begin_exchange() { heard_ = false; }
  void end_exchange(bool at_deadline) { silent_ = silent_ || (at_deadline && !heard_ && !has_room()); }

 private:
  int rank_;
  std::size_t window_;
  std::size_t unanswered_ = 0;
  std::list<MpiFrame> sending_;
  std::list<MpiFrame> receiving_;  ///< the next message: none or one
  bool has_header_ = false;
  bool heard_ = false;
  bool silent_ = false;
};

}  // namespace paretofl
