#include "paretofl/molecules/geometry_file.h"

#include "paretofl/core/error.h"
#include "paretofl/molecules/atom_line.h"

namespace paretofl {

std::vector<Geometry> parse_geometries(std::string_view text, std::string_view name) {
  TextLines lines(text, name);
  std::vector<Geometry> geometries;
  do {
    Geometry read;
    const auto& title = lines.next("a molecule's name");
    expect(title.size() == 1, "{}: expected a molecule's name alone, found {} words", lines.where(), title.size());
    read.molecule.name = title[0];
    read.where = lines.where();
    for (;;) {
      const auto& words = lines.next("an atom or an energy");
      if (words.size() == 1) {
        read.atomization_energy = lines.real(words[0]);
        break;
      }
      expect(words.size() == 4, "{}: expected an element and three coordinates, or an energy; found {} words", lines.where(), words.size());
      expect(read.molecule.atoms.size() < kMaxAtoms, "{}: expected at most {} atoms, found more", lines.where(), kMaxAtoms);
      read.molecule.atoms.push_back(read_atom(lines, words));
    }
    read.molecule.check(read.where);
    geometries.push_back(std::move(read));
    if (lines.at_end()) break;
    const auto& blank = lines.next("a blank line");
    expect(blank.empty(), "{}: expected a blank line after the energy, found {} words", lines.where(), blank.size());
  } while (!lines.at_end());
  return geometries;
}

}  // namespace paretofl
