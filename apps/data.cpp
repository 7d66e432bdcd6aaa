#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/workloads/data_catalog.h"

namespace paretofl {
namespace {

constexpr const char* kDataFooter =
    R"(Without --check: lists the files that the workloads read from data.root, their sizes and where they are
published. With --check: reads each of them in DIR and exits with 1 if one is missing, is not in its format
or holds another number of images, labels, molecules or questions than published. IDX files and QM9's may be
plain or .gz, IDX files named with a dot before "idx". CelebA's check decodes all its images, which takes
minutes. "content as published" behind a file says that its SHA-256 is the published one, which is known of
MNIST's files and CelebA's two lists. Not checked: whether all other files hold what was published, JPEG files
in place of CIFAR-10's, and the geometries of qm9_geometries. Workloads that are not listed draw their data or
read files of your own.

Example: what mnist_fmnist needs, and whether ~/data has it:
  paretofl data mnist_fmnist
  paretofl data mnist_fmnist --check ~/data)";

struct DataArguments {
  std::string name;
  std::optional<std::string> folder;
  bool json = false;
};

std::vector<const CatalogEntry*> chosen_entries(const std::string& name) {
  if (!name.empty()) return {&catalog_entry(name)};
  std::vector<const CatalogEntry*> all;
  for (const CatalogEntry& entry : data_catalog()) all.push_back(&entry);
  return all;
}

// One line: what the file holds and the download that has it.
std::string holds(const CatalogFile& file) {
  std::string line =
      fmt::format("{} {}{}; from {}", fmt::join(file.shape, " x "), file.unit, file.optional ? ", optional" : "", file.published.name);
  if (file.published.bytes > 0) line += fmt::format(", {} bytes", file.published.bytes);
  if (!file.published.md5.empty()) line += fmt::format(", MD5 {}", file.published.md5);
  return line;
}

// Each source once, however many workloads read it.
std::vector<const CatalogSource*> chosen_sources(const std::string& name) {
  std::vector<const CatalogSource*> sources;
  for (const CatalogEntry* entry : chosen_entries(name)) {
    for (const CatalogSource* source : entry->sources) {
      if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
    }
  }
  return sources;
}

nlohmann::ordered_json source_json(const CatalogSource& source) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const CatalogFile& file : source.files) {
    nlohmann::ordered_json published = {{"name", file.published.name}};
    if (file.published.bytes > 0) published["bytes"] = file.published.bytes;
    if (!file.published.md5.empty()) published["md5"] = file.published.md5;
    files.push_back(
        {{"name", file.name}, {"shape", file.shape}, {"unit", file.unit}, {"optional", file.optional}, {"published", published}});
    if (!file.sha256.empty()) files.back()["sha256"] = file.sha256;
  }
  return {{"folder", source.folder}, {"title", source.title}, {"home", source.home}, {"reference", source.reference}, {"files", files}};
}

void list_json(const std::string& name) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const CatalogEntry* entry : chosen_entries(name)) {
    list.push_back({{"workload", entry->workload}, {"summary", entry->summary}, {"sources", nlohmann::ordered_json::array()}});
    for (const CatalogSource* source : entry->sources) list.back()["sources"].push_back(source_json(*source));
  }
  write_output("{}\n", nlohmann::ordered_json{{"workloads", list}}.dump(2));
}

void list_text(const std::string& name) {
  for (const CatalogEntry* entry : chosen_entries(name)) {
    std::vector<std::string> folders;
    for (const CatalogSource* source : entry->sources) folders.push_back(source->folder + "/");
    write_output("{:<14} {}; reads {}\n", entry->workload, entry->summary, fmt::join(folders, " and "));
  }
  for (const CatalogSource* source : chosen_sources(name)) {
    write_output("\n{}/  {}\n  {}\n  {}\n", source->folder, source->title, source->home, source->reference);
    for (const CatalogFile& file : source->files) {
      write_output("  {:<23}  {}\n", file.name, holds(file));
    }
  }
}

// Returns whether all files are as published.
bool check(const std::string& name, const std::string& folder, bool json) {
  expect(std::filesystem::is_directory(folder), "data: expected a folder to check, found none at '{}'", folder);
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  bool ok = true;
  for (const CatalogSource* source : chosen_sources(name)) {
    for (const FileCheck& file : check_source(*source, folder)) {
      ok = ok && file.ok();
      files.push_back({{"file", file.file}, {"ok", file.ok()}, {file.ok() ? "found" : "problem", file.ok() ? file.found : file.problem}});
      if (!file.ok()) warn("{}", file.problem);
      if (file.ok() && !json) write_output("{}: {}\n", file.file, file.found);
    }
  }
  if (json) write_output("{}\n", json_text(nlohmann::ordered_json{{"folder", folder}, {"ok", ok}, {"files", files}}, 2));
  return ok;
}

void run_data(const DataArguments& arguments) {
  if (arguments.folder) {
    if (!check(arguments.name, *arguments.folder, arguments.json)) throw CLI::RuntimeError(1);
  } else if (arguments.json) {
    list_json(arguments.name);
  } else {
    list_text(arguments.name);
  }
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App* command = app.add_subcommand("data", "List the published files that workloads read, and check a folder of them");
  const auto arguments = std::make_shared<DataArguments>();
  command->add_option("NAME", arguments->name, "workload, such as mnist_fmnist (default: all that read files)")->type_name("");
  command->add_option("--check", arguments->folder, "folder to check, which data.root would name")->type_name("DIR");
  command->add_flag("--json", arguments->json, "print JSON");
  command->footer(kDataFooter);
  command->callback([arguments] { run_data(*arguments); });
}

}  // namespace paretofl
