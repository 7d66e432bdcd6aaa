#pragma once

#include <cstdint>
#include <vector>

namespace paretofl {

/// DeBERTa's row of the relative embeddings for each distance query - key (He et al. 2021, section 3.1, with the
/// log-spaced buckets of DeBERTa-v2): distances up to half of the `buckets` have one each, longer ones share them on a
/// logarithmic scale up to `max_distance`. Entry i is of the distance i - (length - 1), from key `length` - 1 to key 0; rows
/// are in [0, 2 buckets).
std::vector<std::int64_t> relative_rows(std::int64_t length, std::int64_t buckets, std::int64_t max_distance);

}  // namespace paretofl
