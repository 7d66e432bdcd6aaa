#pragma once

// The C interface alone: the C++ one has left the standard.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace paretofl {

/// MPI counts bytes in an int, so a long message travels in pieces.
inline constexpr std::size_t kMpiPiece = std::size_t{16} << 20;

/// How many of `size` bytes are in the piece that begins at `at`.
inline int mpi_piece(std::size_t size, std::size_t at) { return static_cast<int>(std::min(kMpiPiece, size - at)); }

/// A message between the leader and a follower: a header of three numbers, then the bytes in pieces. Stays
/// where it is while MPI works on it.
struct MpiFrame {
  /// In a header's place for the index: no more requests will come, or, from a follower, no more replies.
  static constexpr std::uint64_t kStop = ~std::uint64_t{0};

  std::array<std::uint64_t, 3> header{};  ///< number of the exchange, index of the envelope in it, number of bytes
  std::vector<std::byte> bytes;
  std::vector<MPI_Request> requests;

  std::uint64_t exchange() const { return header[0]; }
  std::uint64_t index() const { return header[1]; }

  void post_header_receive(int rank);
  void post_bytes_receive(int rank);
  void post_send(int rank);
  /// Whether all that was posted has finished.
  bool done();
};

}  // namespace paretofl
