#include "paretofl/molecules/bonds.h"

#include <algorithm>
#include <cmath>

namespace paretofl {
namespace {

constexpr std::size_t kMostNeighbours = 3;  // of an atom of an aromatic ring

// Pyykko and Atsumi 2009, in angstrom, by element: double and triple bonds; 0 where there are none.
constexpr std::array<std::array<double, 2>, 5> kBondRadii = {{{0, 0}, {0.67, 0.60}, {0.60, 0.54}, {0.57, 0}, {0, 0}}};

Bond bond_of_length(const Atom& a, const Atom& b, double length) {
  constexpr double kSlack = 0.07;
  const auto& radii_a = kBondRadii[a.element];
  const auto& radii_b = kBondRadii[b.element];
  const auto fits = [&](std::size_t kind) {
    return radii_a[kind] > 0 && radii_b[kind] > 0 && length <= radii_a[kind] + radii_b[kind] + kSlack;
  };
  if (fits(1)) return Bond::kTriple;
  return fits(0) ? Bond::kDouble : Bond::kSingle;
}

// The largest distance of a ring's atoms from the plane through them (Newell's normal).
double unevenness(const Molecule& molecule, const std::vector<std::size_t>& ring) {
  Point centre{};
  for (const std::size_t atom : ring) {
    for (std::size_t x = 0; x < 3; ++x) centre[x] += molecule.atoms[atom].position[x] / static_cast<double>(ring.size());
  }
  Point normal{};
  const auto offset = [&](std::size_t i, std::size_t x) { return molecule.atoms[ring[i % ring.size()]].position[x] - centre[x]; };
  for (std::size_t i = 0; i < ring.size(); ++i) {
    for (std::size_t x = 0; x < 3; ++x) {
      const std::size_t y = (x + 1) % 3, z = (x + 2) % 3;
      normal[x] += offset(i, y) * offset(i + 1, z) - offset(i, z) * offset(i + 1, y);
    }
  }
  const double length = std::hypot(normal[0], normal[1], normal[2]);
  double largest = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const double height = offset(i, 0) * normal[0] + offset(i, 1) * normal[1] + offset(i, 2) * normal[2];
    largest = std::max(largest, std::abs(height) / length);
  }
  return largest;
}

}  // namespace

BondTable::BondTable(const Molecule& molecule)
    : neighbours_(molecule.atoms.size()), bonds_(molecule.atoms.size() * molecule.atoms.size(), Bond::kNone) {
  constexpr double kTolerance = 1.15;
  for (std::size_t i = 0; i < atoms(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double length = molecule.distance(i, j);
      if (length >= kTolerance * (molecule.element(i).radius + molecule.element(j).radius)) continue;
      at(i, j) = at(j, i) = bond_of_length(molecule.atoms[i], molecule.atoms[j], length);
      neighbours_[i].push_back(j);
      neighbours_[j].push_back(i);
    }
  }
  for (auto& list : neighbours_) std::sort(list.begin(), list.end());
  find_aromatic_rings(molecule);
}

bool BondTable::is_aromatic(std::size_t atom) const {
  return std::any_of(neighbours_[atom].begin(), neighbours_[atom].end(),
                     [&](std::size_t other) { return bond(atom, other) == Bond::kAromatic; });
}

std::size_t BondTable::num_bonds() const {
  std::size_t ends = 0;
  for (const auto& list : neighbours_) ends += list.size();
  return ends / 2;
}

std::size_t BondTable::num_rings() const {
  std::size_t parts = 0;
  std::vector<bool> reached(atoms());
  for (std::size_t i = 0; i < atoms(); ++i) {
    if (reached[i]) continue;
    ++parts;
    const auto steps = steps_from(i);
    for (std::size_t j = 0; j < atoms(); ++j) reached[j] = reached[j] || steps[j] != kFar;
  }
  return num_bonds() + parts - atoms();
}

std::vector<std::size_t> BondTable::steps_from(std::size_t atom) const {
  std::vector<std::size_t> steps(atoms(), kFar);
  std::vector<std::size_t> queue{atom};
  steps[atom] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::size_t next : neighbours_[queue[i]]) {
      if (steps[next] != kFar) continue;
      steps[next] = steps[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  return steps;
}

void BondTable::find_aromatic_rings(const Molecule& molecule) {
  for (std::size_t start = 0; start < atoms(); ++start) {
    if (neighbours_[start].size() > kMostNeighbours) continue;
    std::vector<std::size_t> path{start};
    extend_ring(molecule, path);
  }
}

// Depth-first over the rings of five or six atoms with few neighbours, each from its first atom.
void BondTable::extend_ring(const Molecule& molecule, std::vector<std::size_t>& path) {
  constexpr std::size_t kLargest = 6, kSmallest = 5;
  for (const std::size_t next : neighbours_[path.back()]) {
    if (next == path.front() && path.size() >= kSmallest && is_aromatic_ring(molecule, path)) {
      for (std::size_t i = 0; i < path.size(); ++i) {
        const std::size_t other = path[(i + 1) % path.size()];
        at(path[i], other) = at(other, path[i]) = Bond::kAromatic;
      }
    }
    if (next <= path.front() || path.size() == kLargest || neighbours_[next].size() > kMostNeighbours) continue;
    if (std::find(path.begin(), path.end(), next) != path.end()) continue;
    path.push_back(next);
    extend_ring(molecule, path);
    path.pop_back();
  }
}

bool BondTable::is_aromatic_ring(const Molecule& molecule, const std::vector<std::size_t>& ring) const {
  constexpr double kLongest = 1.45, kUneven = 0.1;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (molecule.distance(ring[i], ring[(i + 1) % ring.size()]) >= kLongest) return false;
  }
  return unevenness(molecule, ring) <= kUneven;
}

}  // namespace paretofl
