#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "paretofl/molecules/molecule.h"

namespace paretofl {

/// Molecules in the XYZ format, one after the other: the number of atoms, a line for the name, and a line "ELEMENT x y z" (angstrom) per
/// atom. Coordinates read back as the same numbers.
void write_xyz(std::span<const Molecule> molecules, const std::filesystem::path& file);

/// Throws Error, naming `name` and the line, if the text is anything else, for a molecule that Molecule::check refuses, and where there is
/// none. Blank lines between molecules are passed over.
std::vector<Molecule> parse_xyz(std::string_view text, std::string_view name);

/// The same of a file, plain or gzip-compressed.
std::vector<Molecule> read_xyz(const std::filesystem::path& file);

}  // namespace paretofl
