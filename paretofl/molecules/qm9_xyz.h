#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/molecules/molecule.h"

namespace paretofl {

/// One molecule of the published QM9 files (Ramakrishnan et al. 2014).
struct Qm9Molecule {
  std::uint32_t index = 0;  ///< "gdb 14" is 14
  std::string where = {};   ///< "NAME:LINE" of its first line
  Molecule molecule;
  /// As published: A, B, C (GHz), mu (D), alpha (a0^3), homo, lumo, gap (hartree), r2 (a0^2), zpve, U0, U, H, G
  /// (hartree), Cv (cal / (mol K)).
  std::array<double, 15> properties{};
};

/// Reads the extended XYZ of QM9 (dsgdb9nsd_000001.xyz, or any number of those files one after the other):
///
///     number of atoms n
///     gdb INDEX A B C mu alpha homo lumo gap r2 zpve U0 U H G Cv
///     n lines: element, x, y, z (angstrom), Mulliken charge
///     3n - 6 or 3n - 5 harmonic frequencies
///     two SMILES strings
///     two InChI strings
///
/// Blank lines may follow the last molecule. Numbers may have Mathematica's exponents, such as 1.5*^-6. Charges, frequencies and strings
/// are checked and dropped. Throws Error naming `name` and the line if the text is anything else.
std::vector<Qm9Molecule> parse_qm9_xyz(std::string_view text, std::string_view name);

/// The indices in the list "uncharacterized.txt" that is published with QM9: molecules whose relaxed geometry is no
/// longer the molecule of their SMILES. A row begins with the index; lines of prose don't begin with a number.
std::vector<std::uint32_t> parse_uncharacterized(std::string_view text, std::string_view name);

}  // namespace paretofl
