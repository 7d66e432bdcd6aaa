#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/models/molecule_input.h"

namespace paretofl {

/// What is known of a chemical element of QM9. Radii are single-bond covalent radii of Cordero et al. 2008, in
/// angstrom; electronegativities are Pauling's; masses are in unified atomic mass units.
struct Element {
  std::string_view symbol;
  int number;
  double mass;
  double radius;
  double electronegativity;
};

/// H, C, N, O, F.
std::span<const Element> elements();

using Point = std::array<double, 3>;

struct Atom {
  std::uint8_t element;  ///< index into elements()
  Point position;        ///< in angstrom
};

/// A molecule as a geometry.
struct Molecule {
  std::string name;
  std::vector<Atom> atoms;

  const Element& element(std::size_t atom) const { return elements()[atoms[atom].element]; }
  double distance(std::size_t i, std::size_t j) const;

  /// Throws Error naming `what` unless there are 1 to kMaxAtoms atoms within 100 angstrom of the origin, no two of
  /// them closer than 0.5 angstrom.
  void check(std::string_view what) const;
};

}  // namespace paretofl
