#include "paretofl/molecules/xyz_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(XyzFile, MoleculesReadBackToTheLastBit) {
  const std::vector<Molecule> molecules = {{"water", {{3, {0.1, 1.0 / 3, -0.0}}, {0, {0.96, 1e-17, 0}}, {0, {-0.24, 0.93, 5e-324}}}},
                                           {"neon or so", {{4, {100, -100, 0}}}}};
  const auto file = std::filesystem::path(testing::TempDir()) / "paretofl_molecules.xyz";
  write_xyz(molecules, file);
  const std::vector<Molecule> found = read_xyz(file);
  ASSERT_EQ(found.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found[i].name, molecules[i].name);
    ASSERT_EQ(found[i].atoms.size(), molecules[i].atoms.size());
    for (std::size_t a = 0; a < found[i].atoms.size(); ++a) {
      EXPECT_EQ(found[i].atoms[a].element, molecules[i].atoms[a].element);
      EXPECT_EQ(found[i].atoms[a].position, molecules[i].atoms[a].position);
    }
  }
  std::filesystem::remove(file);
}

TEST(XyzFile, RefusesAnythingElse) {
  const auto expect_refused = [](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { parse_xyz(text, "FILE"); }, ThrowsMessage<Error>(HasSubstr(message)));
  };
  EXPECT_EQ(parse_xyz("1\n\nO 0 0 0\n\n\n1\nx\nF 1 1 1", "FILE").size(), 2U);
  expect_refused("", "FILE: expected at least one molecule, found none");
  expect_refused("x\n", "FILE:1: expected a number from 1");
  expect_refused("1\nx\nU 0 0 0\n", "FILE:3: expected an element H, C, N, O or F, found 'U'");
  expect_refused("2\nx\nH 0 0 0\n", "FILE:4: expected an atom, found the end of the file");
  expect_refused("1\nx\nH 0 0\n", "FILE:3: expected an element and three coordinates, found 3 words");
  expect_refused("2\nx\nH 0 0 0\nH 0 0 0.1\n", "FILE:1: expected atoms at least 0.5 angstrom apart");
  expect_refused("1 2\n", "FILE:1: expected a number of atoms alone, found 2 words");
}

}  // namespace
}  // namespace paretofl
