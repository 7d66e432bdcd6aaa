#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "paretofl/workloads/sample_source.h"

namespace paretofl {

/// As many benches as are in use at once, made when needed and kept. Thread-safe.
class BenchPool {
 public:
  explicit BenchPool(std::function<std::unique_ptr<Model>()> make_model) : make_model_(std::move(make_model)) {}

  /// Borrows a bench for a scope. The pool must outlive it.
  class Lease {
   public:
    explicit Lease(BenchPool& pool);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Bench& operator*() const { return *bench_; }
    Bench* operator->() const { return bench_.get(); }

   private:
    BenchPool& pool_;
    std::unique_ptr<Bench> bench_;
  };

 private:
  std::function<std::unique_ptr<Model>()> make_model_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Bench>> free_;
};

}  // namespace paretofl
