#include "paretofl/molecules/bonds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "paretofl/data/text_lines.h"
#include "tests/data_folder.h"
#include "tests/molecules/sample_molecules.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

Bond bond_at(const char* a, const char* b, double length) {
  return BondTable(molecule({atom(a, {0, 0, 0}), atom(b, {0, length, 0})})).bond(0, 1);
}

TEST(Bonds, LengthDecidesTheKind) {
  EXPECT_EQ(bond_at("C", "C", 1.54), Bond::kSingle);
  EXPECT_EQ(bond_at("C", "C", 1.34), Bond::kDouble);
  EXPECT_EQ(bond_at("C", "C", 1.20), Bond::kTriple);
  EXPECT_EQ(bond_at("C", "C", 2.0), Bond::kNone);
  EXPECT_EQ(bond_at("C", "O", 1.36), Bond::kSingle);
  EXPECT_EQ(bond_at("C", "O", 1.15), Bond::kDouble);
  EXPECT_EQ(bond_at("C", "N", 1.15), Bond::kTriple);
  EXPECT_EQ(bond_at("C", "H", 1.0), Bond::kSingle);
  EXPECT_EQ(bond_at("H", "H", 1.5), Bond::kNone);
  EXPECT_EQ(bond_at("C", "F", 1.3), Bond::kSingle);
}

TEST(Bonds, AreSymmetric) {
  const BondTable bonds(formaldehyde());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(bonds.bond(i, i), Bond::kNone);
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(bonds.bond(i, j), bonds.bond(j, i));
  }
  EXPECT_THAT(bonds.neighbours(0), ElementsAre(1, 2, 3));
  EXPECT_THAT(bonds.neighbours(3), ElementsAre(0));
}

TEST(Bonds, BenzeneIsAromatic) {
  const BondTable benzene(carbon_ring(6, 1.39));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(benzene.bond(i, (i + 1) % 6), Bond::kAromatic);
  EXPECT_EQ(benzene.bond(0, 6), Bond::kSingle);
  EXPECT_TRUE(benzene.is_aromatic(2));
  EXPECT_FALSE(benzene.is_aromatic(8));
  EXPECT_EQ(benzene.num_bonds(), 12U);
  EXPECT_EQ(benzene.num_rings(), 1U);
}

TEST(Bonds, AromaticityNeedsShortBondsAFlatRingFiveOrSixAtomsAndThreeNeighbours) {
  EXPECT_FALSE(BondTable(carbon_ring(6, 1.5)).is_aromatic(0));
  EXPECT_FALSE(BondTable(carbon_ring(4, 1.39)).is_aromatic(0));
  EXPECT_TRUE(BondTable(carbon_ring(5, 1.40)).is_aromatic(0));
  Molecule bent = carbon_ring(6, 1.39);
  bent.atoms[0].position[2] = 0.35;
  EXPECT_FALSE(BondTable(bent).is_aromatic(0));
  Molecule crowded = carbon_ring(6, 1.39);
  const Point& first = crowded.atoms[0].position;
  crowded.atoms.push_back(atom("H", {first[0], first[1], 1.1}));
  EXPECT_FALSE(BondTable(crowded).is_aromatic(3));
}

TEST(Bonds, StepsFollowTheShortestWay) {
  const BondTable ring(carbon_ring(6, 1.5));
  EXPECT_THAT(ring.steps_from(0), ElementsAre(0, 1, 2, 3, 2, 1, 1, 2, 3, 4, 3, 2));
  const BondTable apart(molecule({atom("F", {0, 0, 0}), atom("F", {5, 0, 0})}));
  EXPECT_THAT(apart.steps_from(0), ElementsAre(0, BondTable::kFar));
  EXPECT_EQ(apart.num_rings(), 0U);
}

// Moved and turned, a molecule has the same bonds.
TEST(Bonds, DontDependOnThePosition) {
  Molecule turned = carbon_ring(5, 1.40);
  const BondTable before(turned);
  for (Atom& a : turned.atoms) {
    const auto [x, y, z] = a.position;
    a.position = {0.6 * x - 0.8 * z + 3, y - 1, 0.8 * x + 0.6 * z + 2};
  }
  const BondTable after(turned);
  for (std::size_t i = 0; i < 10; ++i) {
    for (std::size_t j = 0; j < 10; ++j) EXPECT_EQ(before.bond(i, j), after.bond(i, j));
  }
}

// Rings and valences of real molecules are those of the SMILES they came from, but for a few that rearranged.
TEST(Bonds, AgreeWithTheSmilesOfRealMolecules) {
  PARETOFL_NEEDS_DATA("qm9");
  const auto folder = data_folder() / "qm9";
  std::map<std::string, std::string> smiles;
  std::istringstream table(read_text(folder / "smiles.txt.gz"));
  for (std::string name, text; table >> name >> text;) smiles[name] = text;
  const std::array<std::size_t, 5> most = {1, 4, 4, 2, 1};
  std::size_t other_rings = 0;
  for (const Geometry& geometry : parse_geometries(read_text(folder / "test.txt.gz"), "test")) {
    const BondTable bonds(geometry.molecule);
    const std::string& text = smiles.at(geometry.molecule.name);
    const auto digits = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }));
    if (bonds.num_rings() != digits / 2) ++other_rings;
    for (std::size_t i = 0; i < bonds.atoms(); ++i) EXPECT_LE(bonds.neighbours(i).size(), most[geometry.molecule.atoms[i].element]);
    EXPECT_THAT(bonds.steps_from(0), testing::Each(testing::Ne(BondTable::kFar))) << geometry.molecule.name;
  }
  EXPECT_LE(other_rings, 3U);
}

}  // namespace
}  // namespace paretofl
