#pragma once

#include <cstdint>
#include <vector>

#include "paretofl/molecules/molecule.h"

namespace paretofl {

enum class Bond : std::uint8_t { kNone, kSingle, kDouble, kTriple, kAromatic };

/// The bonds of a molecule, found from its geometry alone.
///
/// Two atoms are bonded where they are nearer than 1.15 times the sum of their covalent radii. A bond is triple or double
/// where it is at most 0.07 angstrom longer than the sum of the radii of such a bond (Pyykko and Atsumi 2009; triple
/// between C and N, double between C, N and O), and else single. A ring of five or six atoms is aromatic where it is
/// flat to 0.1 angstrom, all of its bonds are shorter than 1.45 angstrom and no atom in it has more than three
/// neighbours.
class BondTable {
 public:
  explicit BondTable(const Molecule& molecule);

  std::size_t atoms() const { return neighbours_.size(); }
  Bond bond(std::size_t i, std::size_t j) const { return bonds_[i * atoms() + j]; }
  const std::vector<std::size_t>& neighbours(std::size_t atom) const { return neighbours_[atom]; }
  bool is_aromatic(std::size_t atom) const;
  std::size_t num_bonds() const;
  /// Independent rings: bonds - atoms + connected parts.
  std::size_t num_rings() const;
  /// Bonds on the shortest way from `atom` to every atom, [atoms()]; kFar where there is no way.
  std::vector<std::size_t> steps_from(std::size_t atom) const;
  static constexpr std::size_t kFar = ~std::size_t{0};

 private:
  Bond& at(std::size_t i, std::size_t j) { return bonds_[i * atoms() + j]; }
  void find_aromatic_rings(const Molecule& molecule);
  void extend_ring(const Molecule& molecule, std::vector<std::size_t>& path);
  bool is_aromatic_ring(const Molecule& molecule, const std::vector<std::size_t>& ring) const;

  std::vector<std::vector<std::size_t>> neighbours_;
  std::vector<Bond> bonds_;  // [atoms, atoms], symmetric
};

}  // namespace paretofl
