#include "paretofl/runs/presets.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/run_config.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kShipped = fs::path(source_path()) / "experiments";

TEST(Presets, EveryShippedConfigIsOneUnderANameOfItsOwn) {
  const std::vector<Preset> presets = load_presets(kShipped);
  EXPECT_GE(presets.size(), 80U);
  std::set<std::string> names;
  for (const Preset& preset : presets) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_EQ(preset_file(kShipped, preset.name), preset.file);
    EXPECT_NE(preset.strategy, "") << preset.name;
    EXPECT_NE(preset.workload, "") << preset.name;
    EXPECT_GE(preset.summary.size(), 10U) << preset.name << ": expected a comment on top of the file";
  }
  EXPECT_EQ(preset_file(kShipped, "fedcmoo-glyphs"), kShipped / "fedcmoo" / "fedcmoo-glyphs.toml");
}

std::string fault_of(const Settings& settings) {
  try {
    resolve_config(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Presets, EveryShippedConfigHasKnownKeysWithFittingValuesAlone) {
  for (const Preset& preset : load_presets(kShipped)) EXPECT_EQ(fault_of(load_config(preset.file)), "") << preset.name;
  Settings misspelt = load_config(preset_file(kShipped, "fedmoa-gsm8k_math_mbpp"));
  Settings& grpo = misspelt.tables.at("workload").tables.at("grpo");
  grpo.values.emplace("promts", std::int64_t{8});
  EXPECT_THAT(fault_of(misspelt), HasSubstr("workload.grpo.promts"));
}

class PresetFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    write("a/one.toml", "# The first;\n# and more\n[strategy]\nname = \"s\"\n[workload]\nname = \"w\"\n");
    write("a/both.toml", "# Both, in a.\n");
    write("b/both.toml", "# Both, in b.\n");
    write("b/notes.txt", "none");
    write("outside.toml", "# not in a folder");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  std::string failure(const std::string& name) const {
    try {
      preset_file(folder_, name);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  fs::path folder_ = fs::temp_directory_path() / ("paretofl_presets_" + std::to_string(::getpid()));
};

TEST_F(PresetFolder, NamesAreStemsAndLongerWhereTwoAreAlike) {
  const std::vector<Preset> presets = load_presets(folder_);
  ASSERT_EQ(presets.size(), 3U);
  EXPECT_EQ(presets[0].name, "a/both");
  EXPECT_EQ(presets[1].name, "b/both");
  EXPECT_EQ(presets[1].summary, "Both, in b.");
  EXPECT_EQ(presets[2].name, "one");
  EXPECT_EQ(presets[2].summary, "The first.");
  EXPECT_EQ(presets[2].strategy, "s");
  EXPECT_EQ(presets[2].workload, "w");
  EXPECT_EQ(preset_file(folder_, "a/one"), folder_ / "a/one.toml");
  EXPECT_EQ(preset_file(folder_, "b/both"), folder_ / "b/both.toml");
}

TEST_F(PresetFolder, UnknownNamesSuggestTheNearest) {
  EXPECT_EQ(failure("onne"), "CONFIG: expected a TOML file or a preset (paretofl list presets), found 'onne'; did you mean one?");
  EXPECT_EQ(failure("both"), "CONFIG: expected one preset, found 'both', which stands for a/both and b/both");
  EXPECT_THAT(failure("something_else_altogether"), testing::EndsWith("found 'something_else_altogether'"));
}

TEST_F(PresetFolder, FilesAreToldFromNames) {
  EXPECT_TRUE(names_a_file("absent.toml"));
  EXPECT_TRUE(names_a_file((folder_ / "b/notes.txt").string()));
  EXPECT_FALSE(names_a_file(folder_.string())) << "a folder is no config";
  EXPECT_FALSE(names_a_file("fedcmoo-glyphs"));
}

}  // namespace
}  // namespace paretofl
