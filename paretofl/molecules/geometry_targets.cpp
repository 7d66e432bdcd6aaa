#include "paretofl/molecules/geometry_targets.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace paretofl {
namespace {

using Vector = Eigen::Vector3d;

constexpr double kBohr = 0.529177;       // angstrom
constexpr double kCoulomb = 14.39964;    // e^2 / (4 pi epsilon_0) in eV angstrom
constexpr double kDebye = 4.803205;      // one e angstrom
constexpr double kChargePerUnit = 0.18;  // e per unit of electronegativity

Vector position(const Molecule& molecule, std::size_t atom) {
  const Point& at = molecule.atoms[atom].position;
  return {at[0], at[1], at[2]};
}

/// The mean of the positions, weighted by a property of the elements.
template <class Weight>
Vector centre(const Molecule& molecule, Weight weight) {
  Vector sum = Vector::Zero();
  double total = 0;
  for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
    sum += weight(molecule.element(i)) * position(molecule, i);
    total += weight(molecule.element(i));
  }
  return sum / total;
}

std::vector<double> partial_charges(const Molecule& molecule, const BondTable& bonds) {
  std::vector<double> charges(molecule.atoms.size());
  for (std::size_t i = 0; i < charges.size(); ++i) {
    for (const std::size_t j : bonds.neighbours(i)) {
      charges[i] += kChargePerUnit * (molecule.element(j).electronegativity - molecule.element(i).electronegativity);
    }
  }
  return charges;
}

bool is_heavy(const Molecule& molecule, std::size_t atom) { return molecule.element(atom).number > 1; }

double mean_bond_length(const Molecule& molecule, const BondTable& bonds, bool heavy) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < bonds.atoms(); ++i) {
    for (const std::size_t j : bonds.neighbours(i)) {
      if (j > i || (heavy && !(is_heavy(molecule, i) && is_heavy(molecule, j)))) continue;
      sum += molecule.distance(i, j);
      ++count;
    }
  }
  return count > 0 ? sum / count : 0;
}

double wiener_index(const Molecule& molecule, const BondTable& bonds) {
  double sum = 0;
  for (std::size_t i = 0; i < bonds.atoms(); ++i) {
    const auto steps = bonds.steps_from(i);
    for (std::size_t j = 0; j < i; ++j) {
      if (is_heavy(molecule, i) && is_heavy(molecule, j) && steps[j] != BondTable::kFar) sum += static_cast<double>(steps[j]);
    }
  }
  return sum;
}

}  // namespace

std::span<const Target> geometry_target_list() {
  static constexpr std::array<Target, kGeometryTargets> kTargets = {{{"atomization_energy", "eV"},
                                                                     {"radius_of_gyration", "A"},
                                                                     {"smallest_inertia", "u A^2"},
                                                                     {"largest_inertia", "u A^2"},
                                                                     {"charge_extent", "A^2"},
                                                                     {"nuclear_repulsion", "hartree"},
                                                                     {"dipole", "D"},
                                                                     {"electrostatic_energy", "eV"},
                                                                     {"mean_bond_length", "A"},
                                                                     {"rings", ""},
                                                                     {"wiener_index", ""}}};
  return kTargets;
}

std::array<double, kGeometryTargets> geometry_targets(const Geometry& geometry, const BondTable& bonds) {
  const Molecule& molecule = geometry.molecule;
  const std::vector<double> charges = partial_charges(molecule, bonds);
  const Vector mass_centre = centre(molecule, [](const Element& element) { return element.mass; });
  const Vector charge_centre = centre(molecule, [](const Element& element) { return static_cast<double>(element.number); });
  double mass = 0, mass_spread = 0, charge_extent = 0, nuclear_repulsion = 0, electrostatic_energy = 0;
  Vector dipole = Vector::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
    const Element& element = molecule.element(i);
    const Vector arm = position(molecule, i) - mass_centre;
    mass += element.mass;
    mass_spread += element.mass * arm.squaredNorm();
    inertia += element.mass * (arm.squaredNorm() * Eigen::Matrix3d::Identity() - arm * arm.transpose());
    charge_extent += element.number * (position(molecule, i) - charge_centre).squaredNorm();
    dipole += charges[i] * position(molecule, i);
    for (std::size_t j = 0; j < i; ++j) {
      nuclear_repulsion += element.number * molecule.element(j).number * kBohr / molecule.distance(i, j);
      electrostatic_energy += kCoulomb * charges[i] * charges[j] / molecule.distance(i, j);
    }
  }
  const Vector moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
  const double heavy_length = mean_bond_length(molecule, bonds, true);
  return {geometry.atomization_energy,
          std::sqrt(mass_spread / mass),
          moments[0],
          moments[2],
          charge_extent,
          nuclear_repulsion,
          kDebye * dipole.norm(),
          electrostatic_energy,
          heavy_length > 0 ? heavy_length : mean_bond_length(molecule, bonds, false),
          static_cast<double>(bonds.num_rings()),
          wiener_index(molecule, bonds)};
}

}  // namespace paretofl
