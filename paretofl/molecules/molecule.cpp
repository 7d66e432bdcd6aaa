#include "paretofl/molecules/molecule.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

std::span<const Element> elements() {
  static constexpr std::array<Element, 5> kElements = {{{"H", 1, 1.008, 0.31, 2.20},
                                                        {"C", 6, 12.011, 0.76, 2.55},
                                                        {"N", 7, 14.007, 0.71, 3.04},
                                                        {"O", 8, 15.999, 0.66, 3.44},
                                                        {"F", 9, 18.998, 0.57, 3.98}}};
  return kElements;
}

double Molecule::distance(std::size_t i, std::size_t j) const {
  const Point& a = atoms[i].position;
  const Point& b = atoms[j].position;
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

void Molecule::check(std::string_view what) const {
  constexpr double kFarthest = 100, kClosest = 0.5;
  expect(!atoms.empty() && atoms.size() <= kMaxAtoms, "{}: expected 1 to {} atoms, found {}", what, kMaxAtoms, atoms.size());
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    for (const double x : atoms[i].position) {
      expect(std::abs(x) <= kFarthest, "{}: expected coordinates of at most {} angstrom, found {} for atom {}", what, kFarthest, x, i + 1);
    }
    for (std::size_t j = 0; j < i; ++j) {
      expect(distance(i, j) >= kClosest, "{}: expected atoms at least {} angstrom apart, found atoms {} and {} at {:.3g}", what, kClosest,
             j + 1, i + 1, distance(i, j));
    }
  }
}

}  // namespace paretofl
