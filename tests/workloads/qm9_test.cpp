#include "paretofl/workloads/qm9.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "tests/images/idx_bytes.h"
#include "tests/molecules/molecule_files.h"

namespace paretofl {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> names(const MoleculeDataset& dataset) {
  std::vector<std::string> list;
  for (const Molecule& molecule : dataset.molecules) list.push_back(molecule.name);
  return list;
}

TEST(LoadQm9, ReadsOneFileOrMany) {
  const auto many = empty_folder("qm9_many");
  const auto one = empty_folder("qm9_one");
  write_text(many / "qm9" / "dsgdb9nsd_000002.xyz", qm9_water(2));
  write_text(many / "qm9" / "DSGDB9NSD_000001.XYZ", qm9_water(1));
  write_text(many / "qm9" / "readme.txt", "not a molecule");
  write_text(one / "qm9" / "dsgdb9nsd.xyz", qm9_water(1) + qm9_water(2));
  for (const auto& root : {many, one}) {
    EXPECT_THAT(names(load_qm9(root, true)), ElementsAre("dsgdb9nsd_000001", "dsgdb9nsd_000002"));
  }
  write_text(many / "qm9" / "dsgdb9nsd_000003.xyz.bz2", "not read");
  EXPECT_THAT([&] { load_qm9(many, true); }, ThrowsMessage<Error>(HasSubstr("dsgdb9nsd_000003.xyz.bz2: expected .xyz or .xyz.gz")));
}

// PyTorch Geometric converts the atomization energies from the kcal/mol of another publication of QM9: -213.087624,
// -213.974294, -215.159658 and -201.407171 for water.
TEST(LoadQm9, TargetsAreThoseOfPyTorchGeometric) {
  const auto root = empty_folder("qm9_targets");
  write_text(root / "qm9" / "dsgdb9nsd.xyz", qm9_water(3));
  const MoleculeDataset dataset = load_qm9(root, true);
  std::vector<double> found;
  for (const auto& values : dataset.targets) found.push_back(values[0]);
  const std::vector<double> expected = {1.8511, 6.31, -7.96749, 1.86942, 19.0002, 0.58164, -9.24036, -9.27881, -9.33021, -8.73385, 6.002};
  EXPECT_THAT(found, testing::Pointwise(DoubleNear(1e-4), expected));
  EXPECT_EQ(dataset.objectives[6].name, "u0_atom");
  EXPECT_EQ(dataset.objectives[6].unit, "eV");
}

TEST(LoadQm9, LeavesOutTheUncharacterizedUnlessToldOtherwise) {
  const auto root = empty_folder("qm9_list");
  write_text(root / "qm9" / "dsgdb9nsd.xyz", qm9_water(1) + qm9_water(58) + qm9_water(2));
  EXPECT_THAT([&] { load_qm9(root, false); }, ThrowsMessage<Error>(HasSubstr("expected uncharacterized.txt, found none")));
  write_text(root / "qm9" / "uncharacterized.txt", "list\n  58 a b c 6.0\n");
  EXPECT_THAT(names(load_qm9(root, false)), ElementsAre("dsgdb9nsd_000001", "dsgdb9nsd_000002"));
  EXPECT_EQ(load_qm9(root, true).molecules.size(), 3U);
}

TEST(LoadQm9, RefusesAMoleculeThatIsThereTwice) {
  const auto root = empty_folder("qm9_twice");
  const auto file = root / "qm9" / "dsgdb9nsd_000001.xyz";
  write_text(file, qm9_water(1));
  write_text(root / "qm9" / "dsgdb9nsd_000002.xyz", qm9_water(2));
  EXPECT_EQ(load_qm9(root, true).molecules.size(), 2U);
  const std::string text = qm9_water(1);
  const auto refusal = [&] {
    try {
      load_qm9(root, true);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const auto copy = root / "qm9" / "dsgdb9nsd_000001 (1).xyz";
  write_text(copy, text);
  EXPECT_EQ(refusal(), fmt::format("{}:1: expected each molecule once, found gdb 1 again, which is at {}:1", file.string(), copy.string()));
  std::filesystem::remove(copy);
  const auto packed = root / "qm9" / "dsgdb9nsd_000001.xyz.gz";
  write_bytes(packed, gzip(Bytes(text.begin(), text.end())));
  EXPECT_EQ(refusal(),
            fmt::format("{}:1: expected each molecule once, found gdb 1 again, which is at {}:1", packed.string(), file.string()));
  std::filesystem::remove(packed);
  write_text(file, qm9_water(1) + qm9_water(3) + qm9_water(1));
  EXPECT_EQ(refusal(), fmt::format("{0}:17: expected each molecule once, found gdb 1 again, which is at {0}:1", file.string()));
}

TEST(LoadQm9Geometries, RefuseAMoleculeThatIsThereTwice) {
  const auto root = empty_folder("qm9_geometries_twice");
  write_text(root / "qm9" / "val.txt", geometry_list(2, 1));
  write_text(root / "qm9" / "test.txt",
             geometry_list(2, 2) + "\nother_name\n" + geometry_list(1, 1).substr(std::string("molecule0\n").size()));
  EXPECT_THAT([&] { load_qm9_geometries(root); },
              ThrowsMessage<Error>(AllOf(HasSubstr("qm9/test.txt:"),
                                         HasSubstr("expected each molecule once, found the geometry and the energy of "),
                                         HasSubstr("qm9/val.txt:1 again"))));
}

TEST(LoadQm9, SaysWhichFileIsMissingOrDamaged) {
  const auto root = empty_folder("qm9_bad");
  EXPECT_THAT([&] { load_qm9(root, true); }, ThrowsMessage<Error>(HasSubstr("qm9: expected dsgdb9nsd.xyz, dsgdb9nsd.xyz.gz or")));
  EXPECT_THAT([&] { load_qm9_geometries(root); }, ThrowsMessage<Error>(HasSubstr("qm9: expected train.txt, val.txt or test.txt")));
  write_text(root / "qm9" / "dsgdb9nsd.xyz", qm9_water(1).substr(0, 100));
  EXPECT_THAT([&] { load_qm9(root, true); }, ThrowsMessage<Error>(HasSubstr("qm9/dsgdb9nsd.xyz:")));
  write_text(root / "qm9" / "val.txt", "water\nO 0 0 0\n");
  EXPECT_THAT([&] { load_qm9_geometries(root); }, ThrowsMessage<Error>(HasSubstr("qm9/val.txt:3: expected")));
}

TEST(LoadQm9Geometries, OtherMoleculesAreScaledByTheStatisticsOfTheTraining) {
  const auto root = empty_folder("qm9_statistics");
  Settings settings;
  const std::map<std::string, std::int64_t> counts = {
      {"clients", 1}, {"samples_per_client", 2}, {"validation_samples", 0}, {"test_samples", 3}};
  for (const auto& [key, count] : counts) settings.values[key] = count;
  const auto& entry = workloads().at("qm9_geometries");
  WorkloadContext context{.seed = 1, .data_root = root};
  write_text(root / "qm9" / "test.txt", geometry_list(8, 1));
  const auto trained = entry.make(settings, context);
  write_text(root / "qm9" / "test.txt", geometry_list(8, 2));
  EXPECT_NE(entry.make(settings, context)->statistics(), trained->statistics());
  context.statistics = std::make_shared<const nlohmann::json>(trained->statistics());
  EXPECT_EQ(entry.make(settings, context)->statistics(), trained->statistics());
}

TEST(LoadQm9Geometries, PoolsTheFilesThatAreThere) {
  const auto root = empty_folder("qm9_geometries");
  write_text(root / "qm9" / "test.txt", geometry_list(3, 1));
  const std::string packed = geometry_list(2, 2);
  write_bytes(root / "qm9" / "val.txt.gz", gzip(Bytes(packed.begin(), packed.end())));
  const MoleculeDataset dataset = load_qm9_geometries(root);
  EXPECT_EQ(dataset.molecules.size(), 5U);
  EXPECT_EQ(dataset.objectives.size(), 11U);
  EXPECT_EQ(dataset.targets[10].size(), 5U);
}

}  // namespace
}  // namespace paretofl
