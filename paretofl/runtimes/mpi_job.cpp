#include "paretofl/runtimes/mpi_job.h"

#include <cstdlib>

#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/runtimes/poll_pause.h"
#include "paretofl/wire/message.h"

namespace paretofl {

MpiJob& MpiJob::get() {
  static MpiJob job;
  return job;
}

MpiJob::MpiJob() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  if (provided < MPI_THREAD_SERIALIZED) abort("expected an MPI for several threads, found one without");
}

MpiJob::~MpiJob() {
  // Finalizing waits for all ranks, so a rank that leaves early must not: main has said why it does.
  if (open_ && rank_ == kMpiLeader) abort("the leader ended without stopping the others");
  if (open_) {
    MpiFrame frame;
    frame.post_header_receive(kMpiLeader);
    wait(frame);
    if (frame.index() != MpiFrame::kStop) abort("ended before the leader did");
  }
  MPI_Finalize();
}

void MpiJob::expect_same(const Texts& texts) {
  Record sent;
  sent.texts = texts;
  std::vector<std::byte> bytes = rank_ == kMpiLeader ? encode(sent) : std::vector<std::byte>();
  std::uint64_t size = bytes.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, kMpiLeader, MPI_COMM_WORLD);
  bytes.resize(size);
  for (std::size_t at = 0; at < size; at += kMpiPiece) {
    MPI_Bcast(bytes.data() + at, mpi_piece(size, at), MPI_BYTE, kMpiLeader, MPI_COMM_WORLD);
  }
  const auto difference = first_difference(decode_state(bytes).texts, texts);
  const int differs = difference ? 1 : 0;
  int any_differs = 0;
  MPI_Allreduce(&differs, &any_differs, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (difference) {
    throw Error(fmt::format("runtime mpi: rank {}: expected {} {} as on rank {}, found {}", rank_, difference->name, difference->first,
                            kMpiLeader, difference->second));
  }
  expect(any_differs == 0, "runtime mpi: expected the same settings on all ranks, found others");
}

void MpiJob::wait(MpiFrame& frame) {
  for (PollPause pause;; pause()) {
    const std::lock_guard lock(mutex_);
    if (frame.done()) return;
  }
}

void MpiJob::abort(std::string_view why) {
  warn("runtime mpi: rank {}: {}", rank_, why);
  const std::lock_guard lock(mutex_);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace paretofl
