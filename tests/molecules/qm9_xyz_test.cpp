#include "paretofl/molecules/qm9_xyz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Methane as published, with one of the exponents that other molecules' files have.
const std::string kMethane =
    "5\n"
    "gdb 1\t157.7118\t157.70997\t157.70699\t0.\t13.21\t-0.3877\t0.1171\t0.5048\t35.3641\t0.044749\t-40.47893\t-40.476062\t-40.475117\t"
    "-40.498597\t6.469\t\n"
    "C\t-0.0126981359\t 1.0858041578\t 0.0080009958\t-0.535689\n"
    "H\t 0.002150416\t-0.0060313176\t 0.0019761204\t 0.133921\n"
    "H\t 1.0117308433\t 1.4637511618\t 2.765748*^-4\t 0.133922\n"
    "H\t-0.540815069\t 1.4475266138\t-0.8766437152\t 0.133923\n"
    "H\t-0.5238136345\t 1.4379326443\t 0.9063972942\t 0.133923\n"
    "1341.307\t1341.3284\t1341.365\t1562.6731\t1562.7453\t3038.3205\t3151.6034\t3151.6788\t3151.7078\n"
    "C\tC\t\n"
    "InChI=1S/CH4/h1H4\tInChI=1S/CH4/h1H4\n";

std::string with(const std::string& part, const std::string& other) {
  std::string text = kMethane;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(Qm9Xyz, ReadsAMoleculeAsPublished) {
  const auto read = parse_qm9_xyz(kMethane, "methane.xyz");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].index, 1U);
  EXPECT_EQ(read[0].molecule.name, "dsgdb9nsd_000001");
  EXPECT_THAT(read[0].properties, ElementsAre(157.7118, 157.70997, 157.70699, 0, 13.21, -0.3877, 0.1171, 0.5048, 35.3641, 0.044749,
                                              -40.47893, -40.476062, -40.475117, -40.498597, 6.469));
  ASSERT_EQ(read[0].molecule.atoms.size(), 5U);
  EXPECT_EQ(read[0].molecule.element(0).symbol, "C");
  EXPECT_THAT(read[0].molecule.atoms[2].position, ElementsAre(1.0117308433, 1.4637511618, 2.765748e-4));
}

TEST(Qm9Xyz, ReadsFilesOneAfterTheOtherAndWindowsLineEnds) {
  std::string text = kMethane + kMethane;
  const auto two = parse_qm9_xyz(text, "two.xyz");
  EXPECT_EQ(two.size(), 2U);
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, 1, '\r');
  EXPECT_EQ(parse_qm9_xyz(text, "two.xyz").size(), 2U);
}

TEST(Qm9Xyz, BlankLinesMayFollowTheLastMolecule) {
  EXPECT_EQ(parse_qm9_xyz(kMethane + "\n", "one.xyz").size(), 1U);
  EXPECT_EQ(parse_qm9_xyz(kMethane + kMethane + " \r\n\n\t\n", "two.xyz").size(), 2U);
  EXPECT_THAT([] { parse_qm9_xyz(kMethane + "\n" + kMethane, "gap.xyz"); },
              ThrowsMessage<Error>(HasSubstr("gap.xyz:11: expected a number of atoms alone, found 0 words")));
}

struct Refused {
  const char* part;
  const char* other;
  const char* message;
};

class BadQm9Xyz : public testing::TestWithParam<Refused> {};

TEST_P(BadQm9Xyz, SaysWhatAndWhere) {
  const auto& [part, other, message] = GetParam();
  const std::string text = with(part, other);
  EXPECT_THAT([&] { parse_qm9_xyz(text, "m.xyz"); }, ThrowsMessage<Error>(HasSubstr(message)));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadQm9Xyz,
    testing::Values(Refused{"5\n", "five\n", "m.xyz:1: expected a number from 1 to 29, found 'five'"},
                    Refused{"5\n", "5 atoms\n", "m.xyz:1: expected a number of atoms alone, found 2 words"},
                    Refused{"5\n", "30\n", "m.xyz:1: expected a number from 1 to 29, found '30'"},
                    Refused{"5\n", "0\n", "m.xyz:1: expected a number from 1 to 29, found '0'"},
                    Refused{"5\n", "4\n", "m.xyz:7: expected 6 or 7 frequencies of 4 atoms, found 5"},
                    Refused{"gdb 1", "gdb9 1", "m.xyz:2: expected 'gdb INDEX' and 15 properties, found 17 words without gdb"},
                    Refused{"gdb 1", "gdb 133886", "m.xyz:2: expected a number from 1 to 133885, found '133886'"},
                    Refused{"\t6.469", "", "m.xyz:2: expected 'gdb INDEX' and 15 properties, found 16 words"},
                    Refused{"13.21", "13,21", "m.xyz:2: expected a number, found '13,21'"},
                    Refused{"0.5048", "nan", "m.xyz:2: expected a number, found 'nan'"},
                    Refused{"0.5048", "1*^999", "m.xyz:2: expected a number, found '1*^999'"},
                    Refused{"2.765748*^-4", "2.765748*-4", "m.xyz:5: expected a number, found '2.765748*-4'"},
                    Refused{"C\t-", "Si\t-", "m.xyz:3: expected an element H, C, N, O or F, found 'Si'"},
                    Refused{"\t 0.133921", "", "m.xyz:4: expected an element, three coordinates and a charge, found 4 words"},
                    Refused{"0.133921", "x", "m.xyz:4: expected a number, found 'x'"},
                    Refused{"-0.0126981359", "-1000", "m.xyz:1: expected coordinates of at most 100 angstrom, found -1000 for atom 1"},
                    Refused{"-0.0060313176", "1.0", "m.xyz:1: expected atoms at least 0.5 angstrom apart, found atoms 1 and 2 at 0.0873"},
                    Refused{"1341.307\t", "", "m.xyz:8: expected 9 or 10 frequencies of 5 atoms, found 8"},
                    Refused{"C\tC\t\n", "C\n", "m.xyz:9: expected two SMILES strings, found 1 words"},
                    Refused{"InChI=1S/CH4/h1H4\tInChI", "InChI=1S/CH4/h1H4\tinchi", "m.xyz:10: expected two InChI strings, found 2 words"},
                    Refused{"InChI=1S/CH4/h1H4\tInChI=1S/CH4/h1H4\n", "",
                            "m.xyz:10: expected two InChI strings, found the end of the file"},
                    Refused{"C\tC\t\n", "\n", "m.xyz:9: expected two SMILES strings, found 0 words"}));

TEST(Qm9Xyz, AnEmptyFileIsAnError) {
  EXPECT_THAT([] { parse_qm9_xyz("", "m.xyz"); }, ThrowsMessage<Error>("m.xyz:1: expected a number of atoms, found the end of the file"));
}

TEST(Qm9Xyz, EveryCutIsAnError) {
  for (std::size_t length = 0; length + 1 < kMethane.size(); ++length) {
    const std::string_view cut = std::string_view(kMethane).substr(0, length);
    if (cut.find("InChI=1S/CH4/h1H4\tInChI=") != std::string_view::npos) break;
    EXPECT_THROW(parse_qm9_xyz(cut, "cut"), Error) << cut;
  }
}

TEST(Uncharacterized, ReadsTheIndicesOfTheRows) {
  const std::string text =
      "\nList of molecules among the 133885\n====\n#  Index  SMILES  SMILES  SMILES  D_IJ\n====\n"
      "   58   NC(=N)C#N   NC(=N)C#N   [NH]C(=[NH2])C#N   6.036217\n   61 a b c 5.6\n====\n";
  EXPECT_THAT(parse_uncharacterized(text, "list"), ElementsAre(58, 61));
  EXPECT_THAT([] { parse_uncharacterized("58 a b 1.0\n", "list"); },
              ThrowsMessage<Error>("list:1: expected an index, three SMILES strings and a number, found 4 words"));
  EXPECT_THAT([] { parse_uncharacterized("0 a b c 1.0\n", "list"); }, ThrowsMessage<Error>(HasSubstr("list:1: expected a number from 1")));
  EXPECT_THAT([] { parse_uncharacterized("nothing\n", "list"); },
              ThrowsMessage<Error>("list: expected rows that begin with an index, found none"));
}

}  // namespace
}  // namespace paretofl
