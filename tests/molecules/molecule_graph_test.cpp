#include "paretofl/molecules/molecule_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/molecules/sample_molecules.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

MoleculeGraph graph_of(const Molecule& molecule) { return {molecule, BondTable(molecule)}; }

TEST(MoleculeGraph, AtomsHaveTheirElementHybridizationAndHydrogens) {
  const MoleculeGraph graph = graph_of(formaldehyde());
  EXPECT_THAT(graph.node(0), ElementsAre(0, 1, 0, 0, 0, 6, 0, 0, 1, 0, 2));
  EXPECT_THAT(graph.node(1), ElementsAre(0, 0, 0, 1, 0, 8, 0, 0, 1, 0, 0));
  EXPECT_THAT(graph.node(2), ElementsAre(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0));
  EXPECT_THAT(graph_of(water()).node(0), ElementsAre(0, 0, 0, 1, 0, 8, 0, 0, 0, 1, 2));
  const MoleculeGraph linear = graph_of(hydrogen_cyanide());
  EXPECT_THAT(linear.node(1), ElementsAre(0, 1, 0, 0, 0, 6, 0, 1, 0, 0, 1));
  EXPECT_THAT(linear.node(2), ElementsAre(0, 0, 1, 0, 0, 7, 0, 1, 0, 0, 0));
  EXPECT_THAT(graph_of(carbon_ring(6, 1.39)).node(3), ElementsAre(0, 1, 0, 0, 0, 6, 1, 0, 1, 0, 1));
}

TEST(MoleculeGraph, NitrogenIsSp2InThePlaneOfItsNeighbours) {
  EXPECT_THAT(graph_of(ammonia(0.38)).node(0), ElementsAre(0, 0, 1, 0, 0, 7, 0, 0, 0, 1, 3));
  EXPECT_THAT(graph_of(ammonia(0.1)).node(0), ElementsAre(0, 0, 1, 0, 0, 7, 0, 0, 1, 0, 3));
}

TEST(MoleculeGraph, PairsHaveBondsAndDistances) {
  const MoleculeGraph graph = graph_of(formaldehyde());
  EXPECT_EQ(graph.atoms(), 4U);
  EXPECT_EQ(graph.bond(0, 1), Bond::kDouble);
  EXPECT_EQ(graph.bond(2, 0), Bond::kSingle);
  EXPECT_EQ(graph.bond(2, 3), Bond::kNone);
  EXPECT_FLOAT_EQ(graph.distance(2, 3), 1.88F);
  EXPECT_EQ(graph.distance(1, 1), 0);
}

}  // namespace
}  // namespace paretofl
