#include "paretofl/runtimes/mpi_job.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <list>

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
    send_farewell();
  }
  if (lost_ != 0) {
    std::fflush(nullptr);
    abort(fmt::format("rank {} is silent: this rank has done its work, and ends the job without it", lost_));
  }
  MPI_Finalize();
}

void MpiJob::send_farewell() {
  MpiFrame frame;
  frame.header = {0, MpiFrame::kStop, 0};
  {
    const std::lock_guard lock(mutex_);
    frame.post_send(kMpiLeader);
  }
  wait(frame);
}

void MpiJob::lose(int rank) { lost_ = rank; }

void MpiJob::expect_same(const Texts& texts, std::chrono::duration<double> patience) {
  rank_ == kMpiLeader ? lead_comparison(texts, patience) : follow_comparison(texts, patience);
}

void MpiJob::lead_comparison(const Texts& texts, std::chrono::duration<double> patience) {
  Record sent;
  sent.texts = texts;
  const std::vector<std::byte> bytes = encode(sent);
  std::list<MpiFrame> sending;
  const auto send_all = [&](std::uint64_t index, const std::vector<std::byte>& content) {
    for (int rank = 1; rank < ranks_; ++rank) {
      MpiFrame& frame = sending.emplace_back();
      frame.header = {0, index, content.size()};
      frame.bytes = content;
      frame.post_send(rank);
    }
  };
  send_all(0, bytes);
  std::uint64_t differing = 0;
  for (int rank = 1; rank < ranks_; ++rank) {
    MpiFrame verdict;
    verdict.post_header_receive(rank);
    wait(verdict, rank, patience);
    differing += verdict.index();
  }
  send_all(differing, {});
  int rank = 0;
  for (MpiFrame& frame : sending) wait(frame, 1 + rank++ % (ranks_ - 1), patience);
  expect(differing == 0, "runtime mpi: expected the same settings on all ranks, found others");
}

void MpiJob::follow_comparison(const Texts& texts, std::chrono::duration<double> patience) {
  MpiFrame leaders;
  leaders.post_header_receive(kMpiLeader);
  wait(leaders, kMpiLeader, patience);
  leaders.post_bytes_receive(kMpiLeader);
  wait(leaders, kMpiLeader, patience);
  const auto difference = first_difference(decode_state(leaders.bytes).texts, texts);
  MpiFrame verdict;
  verdict.header = {0, difference ? 1U : 0U, 0};
  verdict.post_send(kMpiLeader);
  wait(verdict, kMpiLeader, patience);
  MpiFrame differing;
  differing.post_header_receive(kMpiLeader);
  wait(differing, kMpiLeader, patience);
  if (difference) {
    throw Error(fmt::format("runtime mpi: rank {}: expected {} {} as on rank {}, found {}", rank_, difference->name, difference->first,
                            kMpiLeader, difference->second));
  }
  expect(differing.index() == 0, "runtime mpi: expected the same settings on all ranks, found others");
}

void MpiJob::wait(MpiFrame& frame, int rank, std::chrono::duration<double> patience) {
  const auto start = std::chrono::steady_clock::now();
  for (PollPause pause; !frame.done(); pause()) {
    if (std::chrono::steady_clock::now() - start > patience) {
      abort(fmt::format("expected rank {} to compare settings within {} seconds, found it silent; runtime.patience_seconds allows more",
                        rank, patience.count()));
    }
  }
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
