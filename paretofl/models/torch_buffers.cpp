#include "paretofl/models/torch_buffers.h"

#include <c10/core/CPUAllocator.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <vector>

namespace paretofl {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLarge = std::size_t{1} << 18;  // smaller ones are malloc's business

// Up to an eighth larger, so that tensors of nearly the same size share buffers.
std::size_t rounded(std::size_t size) {
  std::size_t step = kAlignment;
  while (step * 16 <= size) step *= 2;
  return (size + step - 1) / step * step;
}

// Each buffer is preceded by its size.
class Buffers final : public c10::Allocator {
 public:
  // LibTorch 2 has the first without const, and the third; neither is marked override for that reason.
  c10::DataPtr allocate(std::size_t size) const { return take(size); }
  c10::DataPtr allocate(std::size_t size) { return take(size); }
  void copy_data(void* to, const void* from, std::size_t count) const { std::memcpy(to, from, count); }
  c10::DeleterFnPtr raw_deleter() const override { return give_back; }

 private:
  struct Free {
    std::mutex mutex;
    std::map<std::size_t, std::vector<void*>> by_size;
  };

  static Free& free_buffers() {
    static auto* const kFree = new Free;  // tensors may outlive all statics
    return *kFree;
  }

  static c10::DataPtr take(std::size_t size) {
    const c10::Device cpu(c10::DeviceType::CPU);
    if (size == 0) return {nullptr, nullptr, give_back, cpu};
    const std::size_t room = rounded(size);
    if (room >= kLarge) {
      Free& free = free_buffers();
      const std::scoped_lock lock(free.mutex);
      std::vector<void*>& same = free.by_size[room];
      if (!same.empty()) {
        void* const data = same.back();
        same.pop_back();
        return {data, data, give_back, cpu};
      }
    }
    auto* const start = static_cast<char*>(std::aligned_alloc(kAlignment, kAlignment + room));
    if (start == nullptr) throw std::bad_alloc();
    std::memcpy(start, &room, sizeof room);
    void* const data = start + kAlignment;
    return {data, data, give_back, cpu};
  }

  static void give_back(void* data) {
    if (data == nullptr) return;
    char* const start = static_cast<char*>(data) - kAlignment;
    std::size_t room = 0;
    std::memcpy(&room, start, sizeof room);
    if (room < kLarge) {
      std::free(start);
      return;
    }
    Free& free = free_buffers();
    const std::scoped_lock lock(free.mutex);
    free.by_size[room].push_back(data);
  }
};

}  // namespace

void keep_tensor_buffers() {
  static const bool kDone = [] {
    c10::SetCPUAllocator(new Buffers, 1);
    return true;
  }();
  static_cast<void>(kDone);
}

}  // namespace paretofl
