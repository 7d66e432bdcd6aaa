#include "paretofl/mathematics/algebra.h"

#include <algorithm>

namespace paretofl {
namespace {

using Kind = MathAtom::Kind;

constexpr std::size_t kMostWork = 100000;
constexpr std::size_t kBitsPerWork = 256;  // so that a product of long numbers counts for what it costs
constexpr int kMostExpanded = 40;          // exponent of a sum that is multiplied out

std::size_t bits(const mpq_class& number) { return mpz_sizeinbase(number.get_num_mpz_t(), 2) + mpz_sizeinbase(number.get_den_mpz_t(), 2); }

std::size_t bits(const Gaussian& number) { return bits(number.real) + bits(number.imaginary); }

Polynomial constant(const Gaussian& number) { return number.is_zero() ? Polynomial() : Polynomial{{Monomial(), number}}; }

bool is_one(const Polynomial& polynomial) { return constant_of(polynomial) == Gaussian{1, 0}; }

// The whole part of a number.
mpz_class floor_of(const mpq_class& number) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), number.get_num_mpz_t(), number.get_den_mpz_t());
  return result;
}

// number^exponent where that is short enough.
mpq_class whole_power_of(const mpq_class& base, const mpz_class& exponent) {
  const mpz_class size = abs(exponent);
  if (sgn(base) == 0 || base == 1) return base;
  if (base == -1) return mpz_even_p(exponent.get_mpz_t()) ? 1 : -1;
  if (size * static_cast<unsigned long>(bits(base)) > kMostBits) throw Undecided();
  mpq_class result;
  mpz_pow_ui(result.get_num_mpz_t(), base.get_num_mpz_t(), size.get_ui());
  mpz_pow_ui(result.get_den_mpz_t(), base.get_den_mpz_t(), size.get_ui());
  return exponent < 0 ? mpq_class(1 / result) : result;
}

Gaussian whole_power_of(const Gaussian& base, const mpz_class& exponent) {
  if (base.is_real()) return {whole_power_of(base.real, exponent), 0};
  if (base.real == 0) {  // i^n goes round
    const mpq_class size = whole_power_of(base.imaginary, exponent);
    const unsigned long turn = mpz_fdiv_ui(exponent.get_mpz_t(), 4);
    return turn == 0 ? Gaussian{size, 0} : turn == 1 ? Gaussian{0, size} : turn == 2 ? Gaussian{-size, 0} : Gaussian{0, -size};
  }
  mpz_class size = abs(exponent);
  if (size * static_cast<unsigned long>(bits(base)) > kMostBits) throw Undecided();
  Gaussian result{1, 0};
  Gaussian power = exponent < 0 ? inverse(base) : base;
  for (unsigned long rest = size.get_ui(); rest > 0; rest /= 2) {
    if (rest % 2 == 1) result = result * power;
    if (rest > 1) power = power * power;
  }
  return result;
}

}  // namespace

void Algebra::spend(std::size_t work) {
  work_ += work;
  if (work_ > kMostWork) throw Undecided();
}

MathValue Algebra::number(const mpq_class& number) const { return this->number(Gaussian{number, 0}); }
MathValue Algebra::number(const Gaussian& number) const { return {constant(number), constant({1, 0})}; }

int Algebra::atom_number(MathAtom atom) {
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    spend(1);
    const MathAtom other = atoms_[i];
    if (other.kind != atom.kind || other.name != atom.name || other.integer != atom.integer) continue;
    if (std::equal(other.arguments.begin(), other.arguments.end(), atom.arguments.begin(), atom.arguments.end(),
                   [this](const MathValue& a, const MathValue& b) { return equal(a, b); })) {
      return static_cast<int>(i);
    }
  }
  atom.constant = atom.kind != Kind::kVariable && atom.kind != Kind::kUnit &&
                  std::all_of(atom.arguments.begin(), atom.arguments.end(), [this](const MathValue& a) { return is_constant(a); });
  atoms_.push_back(std::move(atom));
  return static_cast<int>(atoms_.size() - 1);
}

MathValue Algebra::atom_power(int atom, const mpq_class& exponent) {
  MathValue value = number(1);
  Polynomial power;
  add_term(power, {{atom, abs(exponent)}}, {1, 0});
  (exponent < 0 ? value.below : value.above) = power;
  return simplified(std::move(value));
}

MathValue Algebra::symbol(Kind kind, const std::string& name, bool positive) {
  return atom_power(atom_number({.kind = kind, .name = name, .positive = positive}), 1);
}

MathValue Algebra::function(const std::string& name, std::vector<MathValue> arguments, bool positive) {
  return atom_power(atom_number({.kind = Kind::kFunction, .name = name, .arguments = std::move(arguments), .positive = positive}), 1);
}

MathValue Algebra::symmetric_function(const std::string& name, const MathValue& argument, int sign, bool positive) {
  const MathValue opposite = negative(argument);
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    const MathAtom other = atoms_[i];
    if (other.kind != Kind::kFunction || other.name != name || !equal(other.arguments.at(0), opposite)) continue;
    return product(number(sign), atom_power(static_cast<int>(i), 1));
  }
  return function(name, {argument}, positive);
}

MathValue Algebra::integer_power(const mpz_class& base, const mpq_class& exponent) {
  return atom_power(atom_number({.kind = Kind::kInteger, .name = {}, .integer = base, .positive = true}), exponent);
}

MathValue Algebra::radicand_power(const MathValue& base, const mpq_class& exponent, bool positive) {
  return atom_power(atom_number({.kind = Kind::kRadicand, .name = {}, .arguments = {base}, .positive = positive}), exponent);
}

// Adds a term, its atoms' whole powers worked out.
void Algebra::add_term(Polynomial& total, Monomial monomial, Gaussian coefficient) {
  Polynomial factors;  // what radicands' whole powers, and even powers of absolute values, are worth
  for (auto factor = monomial.begin(); factor != monomial.end();) {
    const MathAtom& atom = atoms_.at(static_cast<std::size_t>(factor->first));
    const bool reduces = atom.kind == Kind::kInteger || atom.kind == Kind::kRadicand;
    const bool squares = atom.kind == Kind::kFunction && atom.name == "abs" && factor->second >= 2 && is_one(atom.arguments.at(0).below) &&
                         is_real(atom.arguments.at(0));
    const mpz_class whole = reduces ? floor_of(factor->second) : squares ? mpz_class(2 * floor_of(factor->second / 2)) : mpz_class(0);
    if (whole != 0) {
      factor->second -= whole;
      if (atom.kind == Kind::kInteger) {
        coefficient = coefficient * Gaussian{whole_power_of(mpq_class(atom.integer), whole), 0};
      } else {
        const MathValue base = atom.arguments.at(0);
        const Polynomial power = whole_power(base, whole).above;
        factors = factors.empty() ? power : product(factors, power);
      }
    }
    factor = factor->second == 0 ? monomial.erase(factor) : std::next(factor);
  }
  spend(1 + monomial.size() + bits(coefficient) / kBitsPerWork);
  if (bits(coefficient) > 4 * kMostBits) throw Undecided();
  if (!factors.empty()) {
    total = sum(std::move(total), product(factors, Polynomial{{monomial, coefficient}}));
    return;
  }
  const auto [place, added] = total.emplace(std::move(monomial), coefficient);
  if (added) return;
  place->second = place->second + coefficient;
  if (place->second.is_zero()) total.erase(place);
}

Polynomial Algebra::sum(Polynomial a, const Polynomial& b) {
  spend(a.size() + b.size());
  for (const auto& [monomial, coefficient] : b) add_term(a, monomial, coefficient);
  return a;
}

Polynomial Algebra::product(const Polynomial& a, const Polynomial& b) {
  Polynomial total;
  for (const auto& [left, first] : a) {
    for (const auto& [right, second] : b) {
      Monomial monomial = left;
      for (const auto& [atom, exponent] : right) monomial[atom] += exponent;
      spend(1 + monomial.size() + bits(first) * bits(second) / (kBitsPerWork * kBitsPerWork));
      add_term(total, std::move(monomial), first * second);
    }
  }
  return total;
}

// A denominator of one term goes into the numerator as far as it can.
MathValue Algebra::simplified(MathValue value) {
  if (value.above.empty()) return number(0);
  if (is_one(value.below) || !is_term(value.below)) return value;
  const auto& [monomial, coefficient] = *value.below.begin();
  Polynomial factor;
  Monomial rest;
  Monomial roots;
  for (const auto& [atom, exponent] : monomial) {
    if (atoms_.at(static_cast<std::size_t>(atom)).kind == Kind::kInteger) {
      roots[atom] = -exponent;
    } else {
      rest[atom] = exponent;
    }
  }
  add_term(factor, roots, paretofl::inverse(coefficient));
  value.above = product(value.above, factor);
  for (auto power = rest.begin(); power != rest.end();) {  // what all terms above share
    mpq_class shared = power->second;
    for (const auto& [term, unused] : value.above) {
      const auto found = term.find(power->first);
      shared = found == term.end() ? mpq_class(0) : std::min(shared, found->second);
      if (shared <= 0) break;
    }
    if (shared > 0) {
      Polynomial divided;
      for (const auto& [term, factor_of_term] : value.above) {
        Monomial shorter = term;
        shorter[power->first] -= shared;
        if (shorter[power->first] == 0) shorter.erase(power->first);
        divided.emplace(std::move(shorter), factor_of_term);
      }
      value.above = std::move(divided);
      power->second -= shared;
    }
    power = power->second == 0 ? rest.erase(power) : std::next(power);
  }
  value.below = {{rest, {1, 0}}};
  return value;
}

MathValue Algebra::sum(const MathValue& a, const MathValue& b) {
  if (a.below == b.below) return simplified({sum(a.above, b.above), a.below});
  return simplified({sum(product(a.above, b.below), product(b.above, a.below)), product(a.below, b.below)});
}

MathValue Algebra::product(const MathValue& a, const MathValue& b) {
  if (a.above == b.below && !a.above.empty()) return simplified({b.above, a.below});
  if (b.above == a.below && !b.above.empty()) return simplified({a.above, b.below});
  return simplified({product(a.above, b.above), product(a.below, b.below)});
}

MathValue Algebra::inverse(const MathValue& a) {
  if (a.above.empty()) throw Undecided();
  return simplified({a.below, a.above});
}

MathValue Algebra::whole_power(const MathValue& base, const mpz_class& exponent) {
  if (exponent == 0 && base.above.empty()) throw Undecided();
  if (exponent < 0) return whole_power(inverse(base), -exponent);
  if (base.above.empty()) return base;
  MathValue result = number(1);
  if (is_term(base.above) && is_term(base.below)) {
    for (Polynomial* part : {&result.above, &result.below}) {
      const auto& [monomial, coefficient] = *(part == &result.above ? base.above : base.below).begin();
      Monomial power = monomial;
      for (auto& [atom, exponents] : power) exponents *= exponent;
      part->clear();
      add_term(*part, std::move(power), whole_power_of(coefficient, exponent));
    }
    return simplified(std::move(result));
  }
  if (exponent > kMostExpanded) return function("power", {base, number(mpq_class(exponent))});
  for (mpz_class left = exponent; left > 0; --left) result = product(result, base);
  return result;
}

MathValue Algebra::rationalized(MathValue a) {
  for (int rounds = 0; rounds < 8 && a.below.size() > 1; ++rounds) {
    int root = -2;  // -1 for i
    for (const auto& [monomial, coefficient] : a.below) {
      if (!coefficient.is_real()) root = std::max(root, -1);
      for (const auto& [atom, exponent] : monomial) {
        if (atoms_.at(static_cast<std::size_t>(atom)).kind != Kind::kInteger || exponent != mpq_class(1, 2)) return a;
        root = std::max(root, atom);
      }
    }
    if (root == -2) return a;
    Polynomial conjugate;
    for (const auto& [monomial, coefficient] : a.below) {
      const Gaussian changed = root >= 0 ? (monomial.contains(root) ? Gaussian{-1, 0} * coefficient : coefficient)
                                         : Gaussian{coefficient.real, -coefficient.imaginary};
      conjugate.emplace(monomial, changed);
    }
    a = simplified({product(a.above, conjugate), product(a.below, conjugate)});
  }
  return a;
}

bool Algebra::is_constant(const MathValue& a) const {
  for (const Polynomial* part : {&a.above, &a.below}) {
    for (const auto& [monomial, coefficient] : *part) {
      for (const auto& [atom, exponent] : monomial) {
        if (!atoms_.at(static_cast<std::size_t>(atom)).constant) return false;
      }
    }
  }
  return true;
}

bool Algebra::is_real(const MathValue& a) const {
  const auto is_real_atom = [this](const MathAtom& atom) {
    if (atom.positive || atom.kind == Kind::kUnit) return true;
    if (atom.kind == Kind::kVariable) return atom.name.find_first_of("zw") == std::string::npos;
    const bool real_function = atom.name == "sin" || atom.name == "cos" || atom.name == "abs";
    return atom.kind == Kind::kFunction && real_function && is_real(atom.arguments.at(0));
  };
  for (const Polynomial* part : {&a.above, &a.below}) {
    for (const auto& [monomial, coefficient] : *part) {
      if (!coefficient.is_real()) return false;
      for (const auto& [number, exponent] : monomial) {
        const MathAtom& factor = atom(number);
        if (!is_real_atom(factor) || (!factor.positive && exponent.get_den() != 1)) return false;
      }
    }
  }
  return true;
}

bool Algebra::has_units(const MathValue& a) const {
  const auto units = [this](const Polynomial& part) {
    return std::any_of(part.begin(), part.end(), [this](const auto& term) { return !units_of(term.first).empty(); });
  };
  return units(a.above) || units(a.below);
}

Monomial Algebra::units_of(const Monomial& monomial) const {
  Monomial units;
  for (const auto& [atom, exponent] : monomial) {
    if (this->atom(atom).kind == Kind::kUnit) units.emplace(atom, exponent);
  }
  return units;
}

std::optional<MathValue> Algebra::without_units(const MathValue& a) {
  MathValue result;
  for (const bool upper : {true, false}) {
    const Polynomial& part = upper ? a.above : a.below;
    if (part.empty()) return a;
    const Monomial units = units_of(part.begin()->first);
    for (const auto& [monomial, coefficient] : part) {
      if (units_of(monomial) != units) return std::nullopt;
      Monomial rest = monomial;
      for (const auto& [atom, exponent] : units) rest.erase(atom);
      (upper ? result.above : result.below).emplace(std::move(rest), coefficient);
    }
  }
  return result;
}

MathValue Algebra::in_radians(const MathValue& a) {
  const MathValue degree = symbol(Kind::kUnit, "#degree", true);
  const int number = degree.above.begin()->first.begin()->first;
  MathValue parts[2];
  for (const bool upper : {true, false}) {
    MathValue& total = parts[upper ? 0 : 1] = this->number(0);
    for (const auto& [monomial, coefficient] : upper ? a.above : a.below) {
      Monomial rest = monomial;
      const auto found = rest.find(number);
      MathValue factor = this->number(1);
      if (found != rest.end()) {
        if (found->second != 1) throw Undecided();
        factor = product(this->number(mpq_class(1, 180)), pi());
        rest.erase(found);
      }
      total = sum(total, product(factor, {{{rest, coefficient}}, this->number(1).below}));
    }
  }
  return quotient(parts[0], parts[1]);
}

}  // namespace paretofl
