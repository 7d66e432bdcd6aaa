#pragma once

#include <chrono>
#include <mutex>
#include <string_view>

#include "paretofl/core/texts.h"
#include "paretofl/runtimes/mpi_frame.h"

namespace paretofl {

/// The rank that runs the rounds; all others host clients.
inline constexpr int kMpiLeader = 0;

/// This process's part in the MPI job, from the first mpi runtime to the end of the process: MPI can't be
/// started twice. Calls to MPI from several threads take turns on the mutex.
class MpiJob {
 public:
  static MpiJob& get();

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  std::mutex& mutex() { return mutex_; }

  /// Whether a runtime was made that the leader hasn't stopped yet.
  void set_open(bool open) { open_ = open; }

  /// As Runtime::expect_same; the leader's texts are those to agree with. Ends the job if a rank is silent for longer than `patience`.
  void expect_same(const Texts& texts, std::chrono::duration<double> patience);

  /// A follower's last message.
  void send_farewell();

  /// Notes that a rank did not say farewell. The end of the process then ends all ranks, which would wait for it otherwise.
  void lose(int rank);

  /// Returns once all that was posted for the frame has finished.
  void wait(MpiFrame& frame);

  /// Ends all ranks at once.
  [[noreturn]] void abort(std::string_view why);

 private:
  MpiJob();
  ~MpiJob();
  void lead_comparison(const Texts& texts, std::chrono::duration<double> patience);
  void follow_comparison(const Texts& texts, std::chrono::duration<double> patience);
  /// Waits for the frame, which is from or for `rank`, but not for longer than `patience`, after which it ends the job.
  void wait(MpiFrame& frame, int rank, std::chrono::duration<double> patience);

  std::mutex mutex_;
  int rank_ = 0;
  int ranks_ = 0;
  bool open_ = false;
  int lost_ = 0;  ///< a rank that did not say farewell, if not 0
};

}  // namespace paretofl
