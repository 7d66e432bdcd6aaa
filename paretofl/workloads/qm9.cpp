#include "paretofl/workloads/qm9.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "paretofl/core/ascii.h"
#include "paretofl/core/error.h"
#include "paretofl/data/text_lines.h"
#include "paretofl/files/missing_file.h"
#include "paretofl/molecules/geometry_targets.h"

namespace paretofl {
namespace {

constexpr double kHartree = 27.2113825435;  // in eV, the value of PyTorch Geometric

constexpr std::array<Target, 11> kTargets = {{{"mu", "D"},
                                              {"alpha", "a0^3"},
                                              {"homo", "eV"},
                                              {"lumo", "eV"},
                                              {"r2", "a0^2"},
                                              {"zpve", "eV"},
                                              {"u0_atom", "eV"},
                                              {"u_atom", "eV"},
                                              {"h_atom", "eV"},
                                              {"g_atom", "eV"},
                                              {"cv", "cal/(mol K)"}}};

// Of a free atom by element, in hartree, from QM9's atomref.txt: U0, U, H, G.
constexpr std::array<std::array<double, 4>, 5> kAtomEnergies = {{{-0.500273, -0.498857, -0.497912, -0.510927},
                                                                 {-37.846772, -37.845355, -37.844411, -37.861317},
                                                                 {-54.583861, -54.582445, -54.581501, -54.598897},
                                                                 {-75.064579, -75.063163, -75.062219, -75.079532},
                                                                 {-99.718730, -99.717314, -99.716370, -99.733544}}};

std::array<double, kTargets.size()> targets_of(const Qm9Molecule& read) {
  const auto& [a, b, c, mu, alpha, homo, lumo, gap, r2, zpve, u0, u, h, g, cv] = read.properties;
  std::array<double, 4> atomization = {u0, u, h, g};
  for (const Atom& atom : read.molecule.atoms) {
    for (std::size_t i = 0; i < atomization.size(); ++i) atomization[i] -= kAtomEnergies[atom.element][i];
  }
  return {mu,
          alpha,
          homo * kHartree,
          lumo * kHartree,
          r2,
          zpve * kHartree,
          atomization[0] * kHartree,
          atomization[1] * kHartree,
          atomization[2] * kHartree,
          atomization[3] * kHartree,
          cv};
}

/// FILE or FILE.gz in the folder; empty if there is neither.
std::filesystem::path plain_or_gzip(const std::filesystem::path& folder, const std::string& file) {
  for (const std::string& name : {file, file + ".gz"}) {
    std::error_code failure;
    if (std::filesystem::exists(folder / name, failure)) return folder / name;
  }
  return {};
}

MoleculeDataset without_molecules(std::span<const Target> objectives) {
  MoleculeDataset dataset;
  dataset.objectives.assign(objectives.begin(), objectives.end());
  dataset.targets.resize(objectives.size());
  return dataset;
}

void append(MoleculeDataset& dataset, Molecule molecule, std::span<const double> targets) {
  dataset.molecules.push_back(std::move(molecule));
  for (std::size_t m = 0; m < targets.size(); ++m) dataset.targets[m].push_back(targets[m]);
}

/// What two entries for the same molecule have in common: elements, positions and energy as bytes.
std::string geometry_bytes(const Geometry& geometry) {
  std::string bytes;
  const auto add = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  add(geometry.atomization_energy);
  for (const Atom& atom : geometry.molecule.atoms) {
    add(atom.element);
    for (const double coordinate : atom.position) add(coordinate);
  }
  return bytes;
}

}  // namespace

void Qm9Options::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.boolean("keep_uncharacterized", keep_uncharacterized, "keep the molecules that uncharacterized.txt lists");
}

std::vector<std::filesystem::path> find_qm9_files(const std::filesystem::path& folder) {
  if (const auto whole = plain_or_gzip(folder, "dsgdb9nsd.xyz"); !whole.empty()) return {whole};
  std::vector<std::filesystem::path> files;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    const std::string name = lower_case(entry.path().filename().string());
    if (!name.starts_with("dsgdb9nsd_")) continue;
    expect(name.ends_with(".xyz") || name.ends_with(".xyz.gz"), "{}: expected .xyz or .xyz.gz behind dsgdb9nsd_, found another name",
           entry.path().string());
    files.push_back(entry.path());
  }
  if (files.empty()) {
    throw MissingFile(folder, folder.string() + ": expected dsgdb9nsd.xyz, dsgdb9nsd.xyz.gz or dsgdb9nsd_*.xyz, found none of them");
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path find_uncharacterized(const std::filesystem::path& folder) {
  auto file = plain_or_gzip(folder, "uncharacterized.txt");
  expect(!file.empty(), "{}: expected uncharacterized.txt, found none; workload.keep_uncharacterized = true reads the data without it",
         folder.string());
  return file;
}

void for_each_qm9_molecule(std::span<const std::filesystem::path> files, const std::function<void(Qm9Molecule)>& visit) {
  std::unordered_map<std::uint32_t, std::string> places;
  for (const auto& file : files) {
    for (Qm9Molecule& read : parse_qm9_xyz(read_text(file), file.string())) {
      const auto [first, added] = places.emplace(read.index, read.where);
      expect(added, "{}: expected each molecule once, found gdb {} again, which is at {}", read.where, read.index, first->second);
      visit(std::move(read));
    }
  }
}

MoleculeDataset load_qm9(const std::filesystem::path& root, bool keep_uncharacterized) {
  const auto folder = root / "qm9";
  const auto files = find_qm9_files(folder);
  std::unordered_set<std::uint32_t> left_out;
  if (!keep_uncharacterized) {
    const auto file = find_uncharacterized(folder);
    const auto indices = parse_uncharacterized(read_text(file), file.string());
    left_out = {indices.begin(), indices.end()};
  }
  MoleculeDataset dataset = without_molecules(kTargets);
  for_each_qm9_molecule(files, [&](Qm9Molecule read) {
    if (left_out.contains(read.index)) return;
    const auto targets = targets_of(read);
    append(dataset, std::move(read.molecule), targets);
  });
  return dataset;
}

MoleculeDataset load_qm9_geometries(const std::filesystem::path& root) {
  const auto folder = root / "qm9";
  MoleculeDataset dataset = without_molecules(geometry_target_list());
  std::unordered_map<std::string, std::string> places;
  for (const char* name : {"train.txt", "val.txt", "test.txt"}) {
    const auto file = plain_or_gzip(folder, name);
    if (file.empty()) continue;
    for (Geometry& read : parse_geometries(read_text(file), file.string())) {
      const auto [first, added] = places.emplace(geometry_bytes(read), read.where);
      expect(added, "{}: expected each molecule once, found the geometry and the energy of {} again", read.where, first->second);
      const auto targets = geometry_targets(read, BondTable(read.molecule));
      append(dataset, std::move(read.molecule), targets);
    }
  }
  expect(!dataset.molecules.empty(), "{}: expected train.txt, val.txt or test.txt, each with or without .gz; found none of them",
         folder.string());
  return dataset;
}

}  // namespace paretofl
