#include "paretofl/workloads/bench_pool.h"

namespace paretofl {

BenchPool::Lease::Lease(BenchPool& pool) : pool_(pool) {
  {
    const std::scoped_lock lock(pool.mutex_);
    if (!pool.free_.empty()) {
      bench_ = std::move(pool.free_.back());
      pool.free_.pop_back();
      return;
    }
  }
  bench_ = std::make_unique<Bench>();
  bench_->model = pool.make_model_();
}

BenchPool::Lease::~Lease() {
  const std::scoped_lock lock(pool_.mutex_);
  pool_.free_.push_back(std::move(bench_));
}

}  // namespace paretofl
