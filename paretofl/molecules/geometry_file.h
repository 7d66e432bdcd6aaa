#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "paretofl/molecules/molecule.h"

namespace paretofl {

/// A molecule and its energy.
struct Geometry {
  Molecule molecule;
  double atomization_energy = 0;  ///< in eV, negative where bound
  std::string where = {};         ///< "NAME:LINE" of its first line
};

/// Reads a list of geometries: for each a line with its name, a line "ELEMENT x y z" (angstrom) per atom, a line with
/// the atomization energy (eV), and between two of them a blank line. Throws Error naming `name` and the line if the text is anything
/// else.
std::vector<Geometry> parse_geometries(std::string_view text, std::string_view name);

}  // namespace paretofl
