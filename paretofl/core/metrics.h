#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace paretofl {

/// Named figures of one round: scalars and vectors (one entry per objective, or what the name says).
class Metrics {
 public:
  using Value = std::variant<double, std::vector<double>>;

  Metrics with(std::string name, Value value) && {
    values_.insert_or_assign(std::move(name), std::move(value));
    return std::move(*this);
  }
  void set(std::string name, Value value) { values_.insert_or_assign(std::move(name), std::move(value)); }

  const std::map<std::string, Value, std::less<>>& values() const { return values_; }

 private:
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace paretofl
