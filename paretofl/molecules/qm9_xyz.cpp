#include "paretofl/molecules/qm9_xyz.h"

#include <cctype>

#include "paretofl/core/error.h"
#include "paretofl/molecules/atom_line.h"

namespace paretofl {
namespace {

constexpr std::uint32_t kMaxIndex = 133885;

void read_properties(TextLines& lines, Qm9Molecule& read) {
  const auto& words = lines.next("a line 'gdb INDEX' with 15 properties");
  expect(words.size() == 2 + read.properties.size() && words[0] == "gdb", "{}: expected 'gdb INDEX' and {} properties, found {} words{}",
         lines.where(), read.properties.size(), words.size(), words.empty() || words[0] == "gdb" ? "" : " without gdb");
  read.index = lines.count(words[1], kMaxIndex);
  for (std::size_t i = 0; i < read.properties.size(); ++i) read.properties[i] = lines.real(words[2 + i]);
}

Atom read_charged_atom(TextLines& lines) {
  const auto& words = lines.next("a line with an atom");
  expect(words.size() == 5, "{}: expected an element, three coordinates and a charge, found {} words", lines.where(), words.size());
  lines.real(words[4]);
  return read_atom(lines, words);
}

void check_frequencies(TextLines& lines, std::size_t atoms) {
  const auto& words = lines.next("a line of frequencies");
  const bool linear = words.size() + 5 == 3 * atoms;
  expect(linear || words.size() + 6 == 3 * atoms, "{}: expected {} or {} frequencies of {} atoms, found {}", lines.where(),
         3 * static_cast<long>(atoms) - 6, 3 * static_cast<long>(atoms) - 5, atoms, words.size());
  for (const auto word : words) lines.real(word);
}

void check_pair(TextLines& lines, const char* what, std::string_view prefix) {
  const auto& words = lines.next(what);
  expect(words.size() == 2 && words[0].starts_with(prefix) && words[1].starts_with(prefix), "{}: expected {}, found {} words",
         lines.where(), what, words.size());
}

}  // namespace

std::vector<Qm9Molecule> parse_qm9_xyz(std::string_view text, std::string_view name) {
  TextLines lines(text, name);
  std::vector<Qm9Molecule> molecules;
  do {
    Qm9Molecule read;
    const auto& first = lines.next("a number of atoms");
    expect(first.size() == 1, "{}: expected a number of atoms alone, found {} words", lines.where(), first.size());
    const std::size_t atoms = lines.count(first[0], kMaxAtoms);
    read.where = lines.where();
    read_properties(lines, read);
    read.molecule.name = fmt::format("dsgdb9nsd_{:06}", read.index);
    for (std::size_t i = 0; i < atoms; ++i) read.molecule.atoms.push_back(read_charged_atom(lines));
    read.molecule.check(read.where);
    check_frequencies(lines, atoms);
    check_pair(lines, "two SMILES strings", "");
    check_pair(lines, "two InChI strings", "InChI=");
    molecules.push_back(std::move(read));
  } while (!lines.only_blanks_left());
  return molecules;
}

std::vector<std::uint32_t> parse_uncharacterized(std::string_view text, std::string_view name) {
  TextLines lines(text, name);
  std::vector<std::uint32_t> indices;
  while (!lines.at_end()) {
    const auto& words = lines.next("a row");
    if (words.empty() || std::isdigit(static_cast<unsigned char>(words[0][0])) == 0) continue;
    expect(words.size() == 5, "{}: expected an index, three SMILES strings and a number, found {} words", lines.where(), words.size());
    indices.push_back(lines.count(words[0], kMaxIndex));
    lines.real(words[4]);
  }
  expect(!indices.empty(), "{}: expected rows that begin with an index, found none", name);
  return indices;
}

}  // namespace paretofl
