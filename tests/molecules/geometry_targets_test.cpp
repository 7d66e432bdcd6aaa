#include "paretofl/molecules/geometry_targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/molecules/sample_molecules.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

std::array<double, kGeometryTargets> targets_of(const Molecule& molecule) {
  return geometry_targets({.molecule = molecule, .atomization_energy = -1}, BondTable(molecule));
}

double target(const Molecule& molecule, std::string_view name) {
  const auto list = geometry_target_list();
  const auto found = std::find_if(list.begin(), list.end(), [&](const Target& candidate) { return candidate.name == name; });
  return targets_of(molecule)[static_cast<std::size_t>(found - list.begin())];
}

TEST(GeometryTargets, OfTwoAtomsAreWhatTheFormulasSay) {
  const Molecule fluoride = molecule({atom("H", {0, 0, 0}), atom("F", {0, 0.92, 0})});
  const double reduced = 1.008 * 18.998 / (1.008 + 18.998);
  EXPECT_EQ(target(fluoride, "atomization_energy"), -1);
  EXPECT_NEAR(target(fluoride, "largest_inertia"), reduced * 0.92 * 0.92, 1e-9);
  EXPECT_NEAR(target(fluoride, "smallest_inertia"), 0, 1e-9);
  EXPECT_NEAR(target(fluoride, "radius_of_gyration"), 0.92 * std::sqrt(reduced / (1.008 + 18.998)), 1e-9);
  EXPECT_NEAR(target(fluoride, "charge_extent"), 0.9 * 0.92 * 0.92, 1e-9);  // Z_1 Z_2 / (Z_1 + Z_2) r^2
  EXPECT_NEAR(target(fluoride, "nuclear_repulsion"), 9 * 0.529177 / 0.92, 1e-9);
  const double charge = 0.18 * (3.98 - 2.20);
  EXPECT_NEAR(target(fluoride, "dipole"), 4.803205 * charge * 0.92, 1e-9);
  EXPECT_NEAR(target(fluoride, "electrostatic_energy"), -14.39964 * charge * charge / 0.92, 1e-9);
  EXPECT_NEAR(target(fluoride, "mean_bond_length"), 0.92, 1e-12);
  EXPECT_EQ(target(fluoride, "wiener_index"), 0);
}

TEST(GeometryTargets, CountRingsAndWays) {
  const Molecule benzene = carbon_ring(6, 1.39);
  EXPECT_EQ(target(benzene, "rings"), 1);
  EXPECT_EQ(target(benzene, "wiener_index"), 27);  // of a ring of six
  EXPECT_NEAR(target(benzene, "mean_bond_length"), 1.39, 1e-12);
  EXPECT_NEAR(target(benzene, "dipole"), 0, 1e-9);
  EXPECT_EQ(target(water(), "rings"), 0);
}

// The rotational constants of water, 835.8 and 278.1 GHz, from its geometry.
TEST(GeometryTargets, MomentsOfInertiaGiveRotationalConstants) {
  const double half_angle = 104.5 / 2 * M_PI / 180;
  const double x = 0.9572 * std::sin(half_angle), y = 0.9572 * std::cos(half_angle);
  const Molecule water = molecule({atom("O", {0, 0, 0}), atom("H", {x, y, 0}), atom("H", {-x, y, 0})});
  EXPECT_NEAR(505.379 / target(water, "smallest_inertia"), 821, 15);
  EXPECT_NEAR(505.379 / target(water, "largest_inertia"), 281, 5);
}

TEST(GeometryTargets, DontDependOnPositionOrderOrMirror) {
  const Molecule before = formaldehyde();
  Molecule after = before;
  for (Atom& a : after.atoms) {
    const auto [x, y, z] = a.position;
    a.position = {0.6 * x - 0.8 * z + 3, 1 - y, 0.8 * x + 0.6 * z + 2};
  }
  std::swap(after.atoms[0], after.atoms[3]);
  EXPECT_THAT(targets_of(after), Pointwise(DoubleNear(1e-9), targets_of(before)));
}

}  // namespace
}  // namespace paretofl
