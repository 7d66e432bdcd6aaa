#include "paretofl/molecules/xyz_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "paretofl/core/error.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/molecules/atom_line.h"

namespace paretofl {

void write_xyz(std::span<const Molecule> molecules, const std::filesystem::path& file) {
  std::string text;
  for (const Molecule& molecule : molecules) {
    text += fmt::format("{}\n{}\n", molecule.atoms.size(), molecule.name);
    for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
      const auto& [x, y, z] = molecule.atoms[i].position;
      text += fmt::format("{} {} {} {}\n", molecule.element(i).symbol, x, y, z);
    }
  }
  write_whole_file(file, text);
}

std::vector<Molecule> parse_xyz(std::string_view text, std::string_view name) {
  TextLines lines(text, name);
  std::vector<Molecule> molecules;
  while (!lines.at_end()) {
    const auto& head = lines.next("a number of atoms");
    if (head.empty()) continue;
    expect(head.size() == 1, "{}: expected a number of atoms alone, found {} words", lines.where(), head.size());
    const std::uint32_t atoms = lines.count(head[0], kMaxAtoms);
    const std::string where = lines.where();
    Molecule molecule;
    molecule.name = fmt::format("{}", fmt::join(lines.next("a molecule's name"), " "));
    for (std::uint32_t i = 0; i < atoms; ++i) {
      const auto& words = lines.next("an atom");
      expect(words.size() == 4, "{}: expected an element and three coordinates, found {} words", lines.where(), words.size());
      molecule.atoms.push_back(read_atom(lines, words));
    }
    molecule.check(where);
    molecules.push_back(std::move(molecule));
  }
  expect(!molecules.empty(), "{}: expected at least one molecule, found none", name);
  return molecules;
}

std::vector<Molecule> read_xyz(const std::filesystem::path& file) { return parse_xyz(read_text(file), file.string()); }

}  // namespace paretofl
