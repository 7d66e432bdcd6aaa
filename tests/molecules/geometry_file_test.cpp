#include "paretofl/molecules/geometry_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/data/text_lines.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kTwo =
    "water\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n-9.5\n"
    "\n"
    "fluorine\nF 0 0 0\nF 1.4 0 0\n-1.6e0\n";

TEST(GeometryFile, ReadsAListWithOrWithoutABlankLineAtItsEnd) {
  for (const char* end : {"", "\n"}) {
    const auto read = parse_geometries(kTwo + end, "list");
    ASSERT_EQ(read.size(), 2U);
    EXPECT_EQ(read[0].molecule.name, "water");
    EXPECT_EQ(read[0].molecule.atoms.size(), 3U);
    EXPECT_EQ(read[0].atomization_energy, -9.5);
    EXPECT_EQ(read[1].molecule.element(1).symbol, "F");
    EXPECT_THAT(read[1].molecule.atoms[1].position, ElementsAre(1.4, 0, 0));
    EXPECT_EQ(read[1].atomization_energy, -1.6);
  }
}

struct Case {
  const char* text;
  const char* message;
};

class BadGeometryFile : public testing::TestWithParam<Case> {};

TEST_P(BadGeometryFile, SaysWhatAndWhere) {
  EXPECT_THAT([] { parse_geometries(GetParam().text, "list"); }, ThrowsMessage<Error>(HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(Cases, BadGeometryFile,
                         testing::Values(Case{"", "list:1: expected a molecule's name, found the end of the file"},
                                         Case{"two words\n", "list:1: expected a molecule's name alone, found 2 words"},
                                         Case{"a\n-1\n", "list:1: expected 1 to 29 atoms, found 0"},
                                         Case{"a\nH 0 0 0\n", "list:3: expected an atom or an energy, found the end of the file"},
                                         Case{"a\nH 0 0\n",
                                              "list:2: expected an element and three coordinates, or an energy; found 3 words"},
                                         Case{"a\nXe 0 0 0\n", "list:2: expected an element H, C, N, O or F, found 'Xe'"},
                                         Case{"a\nH 0 0 inf\n", "list:2: expected a number, found 'inf'"},
                                         Case{"a\nH 0 0 0\nlow\n", "list:3: expected a number, found 'low'"},
                                         Case{"a\nH 0 0 0\nH 0 0 0.1\n-1\n", "list:1: expected atoms at least 0.5 angstrom apart"},
                                         Case{"a\nH 0 0 0\n-1\nb\n", "list:4: expected a blank line after the energy, found 1 words"},
                                         Case{"a\nH 0 0 0\n-1\n\n\n", "list:5: expected a molecule's name alone, found 0 words"}));

TEST(GeometryFile, AMoleculeHasABoundedNumberOfAtoms) {
  std::string text = "long\n";
  for (int i = 0; i < 30; ++i) text += "H " + std::to_string(i) + " 0 0\n";
  EXPECT_THAT([&] { parse_geometries(text + "-1\n", "list"); }, ThrowsMessage<Error>("list:31: expected at most 29 atoms, found more"));
}

TEST(GeometryFile, ReadsTheRealOnes) {
  PARETOFL_NEEDS_DATA("qm9");
  EXPECT_EQ(parse_geometries(read_text(data_folder() / "qm9" / "test.txt.gz"), "test").size(), 1480U);
  EXPECT_EQ(parse_geometries(read_text(data_folder() / "qm9" / "val.txt.gz"), "val").size(), 1479U);
}

}  // namespace
}  // namespace paretofl
