#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace paretofl {

/// A rational number in lowest terms, of 64 bits above and below the line. What doesn't fit is no number: arithmetic
/// never rounds and never overflows.
class ExactNumber {
 public:
  explicit ExactNumber(std::int64_t integer = 0) : numerator_(integer) {}

  /// numerator / denominator; none for a denominator of 0 or what doesn't fit.
  static std::optional<ExactNumber> ratio(std::int64_t numerator, std::int64_t denominator);
  /// What digits with at most one point among them say, such as 12, 12.50 or .5; none for any other text.
  static std::optional<ExactNumber> decimal(std::string_view text);

  std::int64_t numerator() const { return numerator_; }
  std::int64_t denominator() const { return denominator_; }  ///< above 0
  double value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }
  bool operator==(const ExactNumber&) const = default;

  /// None where the result doesn't fit, or divides by 0.
  friend std::optional<ExactNumber> sum(const ExactNumber& a, const ExactNumber& b);
  friend std::optional<ExactNumber> product(const ExactNumber& a, const ExactNumber& b);
  friend std::optional<ExactNumber> quotient(const ExactNumber& a, const ExactNumber& b);

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
};

}  // namespace paretofl
