#include "paretofl/molecules/molecule_graph.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

enum class Hybridization : std::uint8_t { kNone, kSp, kSp2, kSp3 };

Point between(const Molecule& molecule, std::size_t from, std::size_t to) {
  const Point& a = molecule.atoms[from].position;
  const Point& b = molecule.atoms[to].position;
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

// How far an atom with three neighbours is from the plane through them.
double height(const Molecule& molecule, std::size_t atom, const std::vector<std::size_t>& neighbours) {
  const Point u = between(molecule, neighbours[0], neighbours[1]);
  const Point v = between(molecule, neighbours[0], neighbours[2]);
  const Point w = between(molecule, neighbours[0], atom);
  const Point normal = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  return std::abs(normal[0] * w[0] + normal[1] * w[1] + normal[2] * w[2]) / std::hypot(normal[0], normal[1], normal[2]);
}

Hybridization hybridization(const Molecule& molecule, const BondTable& bonds, std::size_t atom) {
  constexpr double kFlat = 0.2;
  const auto& neighbours = bonds.neighbours(atom);
  switch (molecule.element(atom).number) {
    case 6:
      if (neighbours.size() >= 4) return Hybridization::kSp3;
      return neighbours.size() == 3 ? Hybridization::kSp2 : Hybridization::kSp;
    case 7:
      if (neighbours.size() <= 1) return Hybridization::kSp;
      if (neighbours.size() == 2 || bonds.is_aromatic(atom)) return Hybridization::kSp2;
      return neighbours.size() == 3 && height(molecule, atom, neighbours) <= kFlat ? Hybridization::kSp2 : Hybridization::kSp3;
    case 8:
      return neighbours.size() <= 1 || bonds.is_aromatic(atom) ? Hybridization::kSp2 : Hybridization::kSp3;
    case 9:
      return Hybridization::kSp3;
    default:
      return Hybridization::kNone;
  }
}

}  // namespace

MoleculeGraph::MoleculeGraph(const Molecule& molecule, const BondTable& bonds) : atoms_(molecule.atoms.size()) {
  for (std::size_t i = 0; i < atoms_; ++i) {
    for (std::size_t element = 0; element < elements().size(); ++element) {
      nodes_.push_back(element == molecule.atoms[i].element ? 1.0F : 0.0F);
    }
    nodes_.push_back(static_cast<float>(molecule.element(i).number));
    nodes_.push_back(bonds.is_aromatic(i) ? 1.0F : 0.0F);
    const Hybridization found = hybridization(molecule, bonds, i);
    for (const auto kind : {Hybridization::kSp, Hybridization::kSp2, Hybridization::kSp3}) nodes_.push_back(found == kind ? 1.0F : 0.0F);
    float hydrogens = 0;
    for (const std::size_t other : bonds.neighbours(i)) hydrogens += molecule.element(other).number == 1 ? 1.0F : 0.0F;
    nodes_.push_back(hydrogens);
    for (std::size_t j = 0; j < atoms_; ++j) {
      bonds_.push_back(bonds.bond(i, j));
      distances_.push_back(static_cast<float>(molecule.distance(i, j)));
    }
  }
}

void MoleculeGraph::write(std::span<float> input) const {
  expect(input.size() == kMoleculeNumbers, "molecule: expected room for {} numbers, found {}", kMoleculeNumbers, input.size());
  std::fill(input.begin(), input.end(), 0.0F);
  input[0] = static_cast<float>(atoms_);
  for (std::size_t i = 0; i < atoms_; ++i) {
    const auto place = input.subspan(1 + i * kAtomNumbers, kAtomNumbers);
    std::copy_n(node(i).begin(), kNodeFeatures, place.begin());
    for (std::size_t j = 0; j < atoms_; ++j) {
      if (j == i) continue;
      const auto pair = place.subspan(kNodeFeatures + j * kEdgeFeatures, kEdgeFeatures);
      if (bond(i, j) != Bond::kNone) pair[static_cast<std::size_t>(bond(i, j)) - 1] = 1;
      pair[kEdgeFeatures - 1] = distance(i, j);
    }
  }
}

}  // namespace paretofl
