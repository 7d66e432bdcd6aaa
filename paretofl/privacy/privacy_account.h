#pragma once

#include <map>
#include <set>
#include <string>

#include "paretofl/core/record.h"

namespace paretofl {

/// What a run has disclosed so far, as (epsilon, delta)-differential privacy.
class PrivacyAccount {
 public:
  virtual ~PrivacyAccount() = default;

  /// Whom epsilon protects, in one word: "client" or "example".
  virtual const char* unit() const = 0;
  /// Counts a round in which these clients were asked. Default: releases count themselves.
  virtual void note_round(const std::set<int>& /*asked*/) {}

  virtual double epsilon() const = 0;
  virtual double delta() const = 0;
  /// Whether a round more stays within the budget.
  virtual bool affords_next_round() const = 0;
  /// For the record of a round, by name: epsilon, and what else there is.
  virtual std::map<std::string, double> figures() const = 0;

  virtual Record save() const = 0;
  /// Throws Error on a record that is none of this account's.
  virtual void load(const Record& state) = 0;
};

}  // namespace paretofl
