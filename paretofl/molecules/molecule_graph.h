#pragma once

#include <span>
#include <vector>

#include "paretofl/molecules/bonds.h"

namespace paretofl {

/// What a model sees of a molecule: a complete graph, since distances matter between all atoms.
///
/// Atoms (as PyTorch Geometric's QM9, after Gilmer et al. 2017): one-hot H, C, N, O, F; atomic number; aromatic; sp; sp2;
/// sp3; number of hydrogen neighbours. Where that data set asks a chemistry library, the geometry answers here: bonds
/// and aromatic rings are BondTable's; carbon is sp3, sp2 or sp with four, three or fewer neighbours; nitrogen with three
/// is sp2 where it is aromatic or lies within 0.2 angstrom of their plane and else sp3, with two sp2, with one sp;
/// oxygen with two is sp2 where it is aromatic and else sp3, with one sp2; fluorine is sp3 and hydrogen nothing.
///
/// Pairs (as LibMTL's QM9 example): one-hot single, double, triple, aromatic, all zero without a bond; distance in
/// angstrom.
class MoleculeGraph {
 public:
  MoleculeGraph(const Molecule& molecule, const BondTable& bonds);

  std::size_t atoms() const { return atoms_; }
  std::span<const float> node(std::size_t i) const { return std::span(nodes_).subspan(i * kNodeFeatures, kNodeFeatures); }
  Bond bond(std::size_t i, std::size_t j) const { return bonds_[i * atoms_ + j]; }
  float distance(std::size_t i, std::size_t j) const { return distances_[i * atoms_ + j]; }
  /// Writes the graph as molecule_input.h says, [kMoleculeNumbers].
  void write(std::span<float> input) const;

 private:
  std::size_t atoms_;
  std::vector<float> nodes_;      // [atoms, kNodeFeatures]
  std::vector<Bond> bonds_;       // [atoms, atoms]
  std::vector<float> distances_;  // [atoms, atoms]
};

}  // namespace paretofl
