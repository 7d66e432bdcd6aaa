#include "paretofl/core/layout.h"

#include <set>

#include "paretofl/core/error.h"

namespace paretofl {

Layout::Layout(std::vector<Slice> slices) : slices_(std::move(slices)) {
  std::set<std::string_view> names;
  int previous_head = Slice::kShared;
  for (Slice& slice : slices_) {
    expect(names.insert(slice.name).second, "layout: expected distinct slice names, found '{}' twice", slice.name);
    expect(slice.head >= previous_head,
           "layout: expected shared slices first, then heads by objective; found '{}' of head {} after head {}", slice.name, slice.head,
           previous_head);
    previous_head = slice.head;
    // Far more than any memory, far from overflow.
    constexpr std::int64_t kMaxCount = std::int64_t{1} << 40;
    std::int64_t count = 1;
    for (std::int64_t extent : slice.shape) {
      expect(extent >= 0, "layout: expected non-negative extents, found {} in '{}'", extent, slice.name);
      expect(extent == 0 || count <= kMaxCount / extent, "layout: expected at most {} numbers in '{}', found more", kMaxCount, slice.name);
      count *= extent;
    }
    slice.range = {size_, size_ + static_cast<std::size_t>(count)};
    size_ = slice.range.end;
    if (slice.head == Slice::kShared) shared_.end = size_;
  }
}

Range Layout::head(int objective) const {
  Range range{size_, size_};
  for (const Slice& slice : slices_) {
    if (slice.head != objective) continue;
    if (range.size() == 0) range.begin = slice.range.begin;
    range.end = slice.range.end;
  }
  return range;
}

const Slice& Layout::slice(std::string_view name) const {
  for (const Slice& slice : slices_) {
    if (slice.name == name) return slice;
  }
  throw Error(fmt::format("layout: expected a known slice name, found '{}'", name));
}

std::shared_ptr<const Layout> flat_layout(std::string name, std::size_t size) {
  return std::make_shared<Layout>(std::vector<Slice>{{.name = std::move(name), .shape = {static_cast<std::int64_t>(size)}, .range = {}}});
}

}  // namespace paretofl
