#include "paretofl/runtimes/mpi_frame.h"

namespace paretofl {
namespace {

constexpr int kTag = 1;

}  // namespace

void MpiFrame::post_header_receive(int rank) {
  MPI_Irecv(header.data(), 3, MPI_UINT64_T, rank, kTag, MPI_COMM_WORLD, &requests.emplace_back());
}

void MpiFrame::post_bytes_receive(int rank) {
  bytes.resize(header[2]);
  for (std::size_t at = 0; at < bytes.size(); at += kMpiPiece) {
    MPI_Irecv(bytes.data() + at, mpi_piece(bytes.size(), at), MPI_BYTE, rank, kTag, MPI_COMM_WORLD, &requests.emplace_back());
  }
}

void MpiFrame::post_send(int rank) {
  MPI_Isend(header.data(), 3, MPI_UINT64_T, rank, kTag, MPI_COMM_WORLD, &requests.emplace_back());
  for (std::size_t at = 0; at < bytes.size(); at += kMpiPiece) {
    MPI_Isend(bytes.data() + at, mpi_piece(bytes.size(), at), MPI_BYTE, rank, kTag, MPI_COMM_WORLD, &requests.emplace_back());
  }
}

bool MpiFrame::done() {
  int flag = 0;
  MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag, MPI_STATUSES_IGNORE);
  if (flag) requests.clear();
  return flag;
}

}  // namespace paretofl
