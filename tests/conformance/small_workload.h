#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "paretofl/registry/option_lister.h"
#include "paretofl/workloads/workload.h"
#include "tests/images/celeba_files.h"
#include "tests/images/idx_bytes.h"
#include "tests/molecules/molecule_files.h"
#include "tests/tables/house_tables.h"
#include "tests/tables/written_tables.h"

// Every registered workload, small: its options, and files for those that read some.
namespace paretofl {

/// A folder with `train` and `test` random images and labels as the four IDX files of a data set.
inline void write_digits(const std::filesystem::path& folder, std::uint32_t train, std::uint32_t test) {
  Random random({9}, "fake digits");
  for (const auto& [part, count] : {std::pair{"train", train}, std::pair{"t10k", test}}) {
    Bytes pixels(std::size_t{count} * 28 * 28);
    for (auto& pixel : pixels) pixel = static_cast<std::uint8_t>(random.below(256));
    Bytes labels(count);
    for (auto& label : labels) label = static_cast<std::uint8_t>(random.below(10));
    write_bytes(folder / (std::string(part) + "-images-idx3-ubyte"), idx_bytes({count, 28, 28}, pixels));
    write_bytes(folder / (std::string(part) + "-labels-idx1-ubyte"), idx_bytes({count}, labels));
  }
}

/// A folder with CIFAR-10's binary files, the training images in five of them.
inline void write_cifar(const std::filesystem::path& folder, std::size_t train, std::size_t test) {
  Random random({9}, "fake images");
  const auto write = [&](const std::string& name, std::size_t count) {
    Bytes records(count * 3073);
    for (std::size_t i = 0; i < records.size(); ++i) records[i] = static_cast<std::uint8_t>(random.below(i % 3073 == 0 ? 10 : 256));
    write_bytes(folder / name, records);
  };
  for (int i = 1; i <= 5; ++i) write("data_batch_" + std::to_string(i) + ".bin", train / 5);
  write("test_batch.bin", test);
}

/// A folder with molecules as QM9 publishes them, and a list of geometries.
inline void write_molecules(const std::filesystem::path& folder, int count) {
  std::string published;
  for (int i = 1; i <= count; ++i) published += qm9_water(i, 0.001 * i);
  write_text(folder / "dsgdb9nsd.xyz", published);
  write_text(folder / "uncharacterized.txt", "  1 a b c 6.0\n");
  write_text(folder / "test.txt", geometry_list(count, 9));
}

/// A file with short questions, and their numbers as the answers, in the fields named.
inline void write_questions(const std::filesystem::path& file, int first, const std::string& question, const std::string& answer,
                            const std::string& mark) {
  std::string rows;
  for (int i = first; i < first + 60; ++i) {
    rows += nlohmann::json{{question, std::to_string(i) + "+1?"}, {answer, mark + std::to_string(i + 1)}}.dump() + "\n";
  }
  write_text(file, rows);
}

/// Files of MBPP and HumanEval, of a few short programs.
inline void write_programs(const std::filesystem::path& root) {
  std::string mbpp;
  std::string humaneval;
  for (int i = 0; i < 90; ++i) {
    const std::string test = fmt::format("assert f{}() == 1", i);
    const char* split = i < 30 ? "train" : i < 60 ? "validation" : "test";
    mbpp += nlohmann::json{{"text", fmt::format("One by f{}.", i)},
                           {"code", fmt::format("def f{}():\n  return 1", i)},
                           {"test_list", {test, test + " "}},
                           {"split", split}}
                .dump() +
            "\n";
    humaneval += nlohmann::json{{"prompt", fmt::format("def f{}():\n", i)},
                                {"canonical_solution", "  return 1\n"},
                                {"test", "def check(candidate):\n  assert candidate() == 1"},
                                {"entry_point", fmt::format("f{}", i)}}
                     .dump() +
                 "\n";
  }
  write_text(root / "mbpp" / "mbpp.jsonl", mbpp);
  write_text(root / "humaneval" / "HumanEval.jsonl", humaneval);
}

/// Whether a workload's clients train on rewards of answers.
inline bool answers_questions(const RegistryEntry& workload) {
  OptionLister options;
  workload.describe(options);
  return std::any_of(options.docs().begin(), options.docs().end(), [](const OptionDoc& doc) { return doc.key == "evaluation_questions"; });
}

/// Writes the files of all data sets.
inline void write_small_data(const std::filesystem::path& root) {
  write_digits(root / "mnist", 300, 60);
  write_digits(root / "fashion_mnist", 300, 60);
  write_cifar(root / "cifar10", 300, 60);
  write_molecules(root / "qm9", 191);
  write_questions(root / "gsm8k" / "train.jsonl.gz", 0, "question", "answer", "#### ");
  write_questions(root / "gsm8k" / "test.jsonl.gz", 100, "question", "answer", "#### ");
  write_questions(root / "math" / "train-answers.jsonl.gz", 0, "problem", "answer", "");
  write_questions(root / "math" / "test.jsonl.gz", 100, "problem", "solution", "so \\boxed ");
  write_programs(root);
  write_tables(root / "tables", house_tables(6, 40));
  write_celeba_files(root / "celeba", even_faces(240, 9), {160, 20, 60}, 0.1, Random({9}, "fake faces"));
}

/// Options of six clients that hold and do little.
inline Settings small_settings(const RegistryEntry& workload, double validation_fraction = 0) {
  Settings settings;
  settings.values.emplace("clients", std::int64_t{6});
  OptionLister options;
  workload.describe(options);
  const auto has = [&](const char* key) {
    return std::any_of(options.docs().begin(), options.docs().end(), [&](const OptionDoc& doc) { return doc.key == key; });
  };
  if (has("samples_per_client")) {
    settings.values.emplace("samples_per_client", std::int64_t{20});
    settings.values.emplace("batch_size", std::int64_t{8});
    if (workload.name.starts_with("qm9")) {
      settings.values.emplace("test_samples", std::int64_t{40});
      settings.values.emplace("validation_samples", validation_fraction > 0 ? std::int64_t{30} : std::int64_t{0});
    } else if (has("validation_fraction")) {
      settings.values.emplace("validation_fraction", validation_fraction);
      settings.values.emplace("held_out_fraction", validation_fraction);
    }
  }
  if (workload.name.starts_with("celeba")) settings.values.emplace("model", "small_cnn");
  if (workload.name == "faces") {
    settings.values.emplace("train_images", std::int64_t{200});
    settings.values.emplace("test_images", std::int64_t{60});
  }
  if (workload.name == "alignment") {
    settings.values.emplace("max_prompt_tokens", std::int64_t{64});
    settings.values.emplace("evaluation_prompts", std::int64_t{20});
    settings.tables["ppo"].values = {
        {"batch_size", std::int64_t{4}}, {"minibatch_size", std::int64_t{2}}, {"max_new_tokens", std::int64_t{6}}};
  }
  if (workload.name == "preference_pairs") {
    settings.values.emplace("evaluation_pairs", std::int64_t{6});
    settings.values.emplace("max_completion_tokens", std::int64_t{20});
    settings.tables["dpo"].values = {{"batch_size", std::int64_t{2}}};
  }
  if (workload.name == "table") {
    settings.values = {{"files", "tables"},
                       {"targets", std::vector<std::string>{"price", "sold"}},
                       {"losses", std::vector<std::string>{"squared", "logistic"}},
                       {"categorical", std::vector<std::string>{"district"}},
                       {"validation_fraction", validation_fraction},
                       {"batch_size", std::int64_t{8}}};
  }
  if (answers_questions(workload)) {
    // A fresh model earns nothing by being right, but something by its length.
    const bool of_code = workload.name == "mbpp" || workload.name == "humaneval";
    settings.tables["rewards"].tables = {
        {"accuracy", {}}, {of_code ? "code_format" : "format", {{{"name", "format"}}, {}}}, {"tag_count", {{{"name", "length"}}, {}}}};
    settings.values.emplace("max_prompt_tokens", std::int64_t{200});
    settings.values.emplace("evaluation_questions", std::int64_t{of_code ? 8 : 20});  // each starts a program
    settings.tables["grpo"].values = {{"prompts", std::int64_t{2}}, {"completions", std::int64_t{2}}, {"max_new_tokens", std::int64_t{6}}};
  }
  return settings;
}

}  // namespace paretofl
