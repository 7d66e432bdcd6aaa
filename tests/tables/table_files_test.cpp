#include "paretofl/tables/table_files.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "tests/tables/written_tables.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> clients_of(const std::filesystem::path& root, const std::string& pattern) {
  std::vector<std::string> clients;
  for (const TableFile& file : table_files(root, pattern)) clients.push_back(file.client);
  return clients;
}

TEST(TableFiles, AreAFileAFolderOrAPattern) {
  const auto root = table_folder();
  write_tables(root, {{"sites/site10.csv", "x\n"},
                      {"sites/site2.csv.gz", "x\n"},
                      {"sites/site1.npy", "x\n"},
                      {"sites/notes.txt", "x\n"},
                      {"sites/deep/other.csv", "x\n"}});
  EXPECT_THAT(clients_of(root, "sites/site10.csv"), ElementsAre("site10"));
  EXPECT_THAT(clients_of(root, "sites"), ElementsAre("site1", "site2", "site10"));
  EXPECT_THAT(clients_of(root, "sites/*.csv"), ElementsAre("site10"));
  EXPECT_THAT(clients_of(root, "sites/*.txt"), ElementsAre("notes"));
  EXPECT_THAT(clients_of("/", (root / "sites" / "site?.*").string()), ElementsAre("site1", "site2"));
}

TEST(TableFiles, AClientMayHaveAFolderOfItsOwn) {
  const auto root = table_folder();
  write_tables(root, {{"north/rows.csv", "x\n"}, {"south/rows.csv", "x\n"}});
  EXPECT_THAT(clients_of(root, "*/rows.csv"), ElementsAre("north/rows", "south/rows"));
}

TEST(TableFiles, TheFolderOfTheDataIsNoPattern) {
  const auto root = table_folder() / "[ab]*";
  write_tables(root, {{"x1.csv", "x\n"}, {"x2.csv", "x\n"}});
  EXPECT_THAT(clients_of(root, "*.csv"), ElementsAre("x1", "x2"));
  EXPECT_THAT(clients_of(root, "x?.csv"), ElementsAre("x1", "x2"));
  EXPECT_THAT(clients_of(root / "..", "[[]ab]*/x[1-2].csv"), ElementsAre("[ab]*/x1", "[ab]*/x2"));
}

TEST(TableFiles, WhatIsNoFileIsNotPassedOver) {
  const auto root = table_folder();
  write_tables(root, {{"a.csv", "x\n"}});
  std::filesystem::create_symlink("nowhere", root / "b.csv");
  EXPECT_THAT(clients_of(root, "."), ElementsAre("a", "b"));
  EXPECT_THAT(clients_of(root, "*"), ElementsAre("a", "b"));
  EXPECT_THAT(clients_of(root, "b.csv"), ElementsAre("b"));
}

TEST(TableFiles, EndingsAreInUpperOrLowerCaseAndHiddenFilesAreNoClients) {
  const auto root = table_folder();
  write_tables(root,
               {{"a.CSV", "x\n"}, {"b.csv.GZ", "x\n"}, {"c.Npy", "x\n"}, {".hidden.csv", "x\n"}, {"._a.csv", "x\n"}, {".npy", "x\n"}});
  EXPECT_THAT(clients_of(root, "."), ElementsAre("a", "b", "c"));
  EXPECT_THAT(clients_of(root, "*"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(clients_of(root, "?.C*"), ElementsAre("a"));
  EXPECT_THAT(clients_of(root, ".hidden.csv"), ElementsAre(".hidden"));
  EXPECT_TRUE(is_npy("c.NPY"));
  EXPECT_FALSE(is_npy("c.csv"));
}

TEST(TableFiles, WhatAPatternLeavesOutForItsEndingIsKnown) {
  const auto root = table_folder();
  write_tables(root, {{"a.csv", "x\n"},
                      {"a.npy", "x\n"},
                      {"b.CSV", "x\n"},
                      {"c.csv.gz", "x\n"},
                      {"d.npy", "x\n"},
                      {"notes.txt", "x\n"},
                      {".e.npy", "x\n"},
                      {"north/rows.csv", "x\n"},
                      {"south/rows.CSV", "x\n"},
                      {"south/other.npy", "x\n"}});
  const auto left_out = [&](const std::string& pattern) {
    std::vector<std::string> names;
    for (const auto& file : files_left_out(root, pattern, table_files(root, pattern)))
      names.push_back(file.lexically_relative(root).string());
    return names;
  };
  EXPECT_THAT(left_out("*.csv"), ElementsAre("b.CSV", "c.csv.gz", "d.npy"));
  EXPECT_THAT(left_out("*.npy"), ElementsAre("b.CSV", "c.csv.gz"));
  EXPECT_THAT(left_out("[a-b].csv"), ElementsAre("b.CSV"));
  EXPECT_THAT(left_out("*/rows.csv"), ElementsAre("south/rows.CSV"));
  for (const char* all : {"a.csv", "*.txt", "north"}) EXPECT_THAT(left_out(all), ElementsAre()) << all;
  EXPECT_THAT(
      [&] { table_files(root / "south", "*.csv"); },
      ThrowsMessage<Error>(HasSubstr("found none; left out for their endings: 2, the first " + (root / "south/other.npy").string())));
}

TEST(TableFiles, RefuseWhereThereIsNone) {
  const auto root = table_folder();
  std::filesystem::create_directories(root / "empty");
  EXPECT_THAT([&] { table_files(root, "clients/*.csv"); }, ThrowsMessage<Error>(HasSubstr("workload.files: expected files at ")));
  EXPECT_THAT([&] { table_files(root, "empty"); },
              ThrowsMessage<Error>(HasSubstr("expected files that end with .csv, .csv.gz or .npy at")));
  EXPECT_THAT([&] { table_files(root, ""); }, ThrowsMessage<Error>(HasSubstr("workload.files: expected a file, a folder or a pattern")));
}

TEST(TableFiles, RefuseTwoFilesOfOneClient) {
  const auto root = table_folder();
  write_tables(root, {{"a.csv", "x\n"}, {"a.csv.gz", "x\n"}});
  EXPECT_THAT([&] { table_files(root, "*.csv*"); }, ThrowsMessage<Error>(HasSubstr("expected one file of each name")));
}

}  // namespace
}  // namespace paretofl
