#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace paretofl {

/// Which texts of a file are held out from training: of every `every` distinct ones, in order of their first appearance, the
/// last, wherever it appears. Pairs are asked for by their prompt, so that no prompt is on both sides.
class HeldOut {
 public:
  /// `every` >= 2.
  explicit HeldOut(std::int64_t every = 10) : every_(static_cast<std::size_t>(every)) {}

  bool operator()(const std::string& text) {
    if (seen_.insert(text).second && seen_.size() % every_ == 0) held_out_.insert(text);
    return held_out_.contains(text);
  }

  /// Those held out so far.
  const std::set<std::string>& texts() const { return held_out_; }

 private:
  std::size_t every_;
  std::set<std::string> seen_;
  std::set<std::string> held_out_;
};

}  // namespace paretofl
