#include "paretofl/core/thread_pool.h"

#include <omp.h>

#include <chrono>
#include <system_error>

#include "paretofl/core/error.h"

namespace paretofl {

ThreadPool::ThreadPool(std::size_t threads) {
  expect(threads >= 1 && threads <= 4096, "threads: expected 1 to 4096, found {}", threads);
  omp_set_num_threads(1);
  try {
    for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    const std::size_t started = this->threads();
    stop();
    throw Error(fmt::format("threads: expected to start {}, found no more after {}: {}", threads, started, error.what()));
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::for_each(std::size_t count, const std::function<void(std::size_t)>& body) {
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
  }
  changed_.notify_all();
  take_items();
  std::unique_lock lock(mutex_);
  wait(lock, [this] { return running_ == 0; });
  body_ = nullptr;
  count_ = 0;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::wait(std::unique_lock<std::mutex>& lock, const std::function<bool()>& ready) {
  // glibc 2.36 can lose a wake-up (its bug 25847), so no wait is forever.
  while (!changed_.wait_for(lock, std::chrono::milliseconds(50), ready)) {
  }
}

void ThreadPool::work() {
  omp_set_num_threads(1);
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wait(lock, [this] { return stopping_ || next_ < count_; });
      if (stopping_) return;
    }
    take_items();
  }
}

void ThreadPool::take_items() {
  std::unique_lock lock(mutex_);
  while (next_ < count_) {
    const std::size_t index = next_++;
    const auto& body = *body_;
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      body(index);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    --running_;
    if (failure && (!failure_ || index < failed_index_)) {
      failure_ = failure;
      failed_index_ = index;
    }
  }
  if (running_ == 0) changed_.notify_all();
}

}  // namespace paretofl
