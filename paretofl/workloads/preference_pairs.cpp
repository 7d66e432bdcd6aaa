#include "paretofl/workloads/preference_pairs.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "paretofl/alignment/pair_figures.h"
#include "paretofl/completions/chosen_chat.h"
#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/data/built_in_pairs.h"
#include "paretofl/data/listed_names.h"
#include "paretofl/data/pair_split.h"
#include "paretofl/data/short_file_names.h"
#include "paretofl/local/partial_oracle.h"
#include "paretofl/parties/problem.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr const char* kTrainPairs = "train.jsonl";
constexpr const char* kTestPairs = "test.jsonl";
constexpr const char* kDimensions = "dimensions";
constexpr const char* kTooLong = "pairs_left_out";
constexpr const char* kEqual = "pairs_of_equal_completions";
constexpr const char* kHeldOut = "pairs_held_out";

/// At most `most` of the pairs, spread evenly over them.
std::vector<DimensionPair> spread(std::vector<DimensionPair> pairs, std::size_t most) {
  if (pairs.size() <= most) return pairs;
  std::vector<DimensionPair> chosen;
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(std::move(pairs[i * pairs.size() / most]));
  return chosen;
}

void expect_different_files(const std::vector<std::string>& files) {
  std::set<std::filesystem::path> seen;
  for (const std::string& file : files) {
    expect(seen.insert(std::filesystem::path(file).lexically_normal()).second, "workload.files: expected different files, found {} twice",
           file);
  }
}

}  // namespace

void PreferencePairsOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.text("files", files,
             "files of preference pairs under data.root, separated by commas, each a dimension unless its rows say theirs; empty: built-in "
             "pairs");
  visit.text(
      "test_files", test_files,
      "as many files of pairs for the evaluation, whose prompts are not trained on in any dimension; empty: pairs of some prompts of "
      "files are held out");
  visit.text("dimensions", dimensions,
             "names of the dimensions, which are the objectives, separated by commas; empty: those of the rows, or of the files");
  visit.group("fields", [this](OptionVisitor& inner) {
    inner.text("prompt", fields.prompt,
               "the field of a row with the prompt; without it, chosen and rejected are dialogues that begin alike");
    inner.text("chosen", fields.chosen, "the field with the preferred completion");
    inner.text("rejected", fields.rejected, "the field with the other completion");
    inner.text("dimension", fields.dimension, "the field with the name of the dimension, which rows may lack");
    inner.text("offset", fields.offset,
               "the field with the number by which beta times the difference of log-ratios is to be larger than 0, as the margin of MODPO; "
               "empty: none");
  });
  visit.text("instruction", instruction, "the text of a prompt, with {question} once, in place of the row's prompt; not of dialogues");
  describe_chat_template(visit, chat_template, "prompts that are no dialogues");
  visit.integer("max_prompt_tokens", max_prompt_tokens, 1, kMaxInt, "pairs with longer prompts are left out");
  visit.integer("max_completion_tokens", max_completion_tokens, 1, kMaxInt, "longer completions lose their end");
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.integer("dimensions_per_client", dimensions_per_client, 0, kMaxInt,
                "of how many dimensions each client has pairs: client i of those from number i on, in a circle; 0: of all");
  visit.integer("held_out_every", held_out_every, 2, kMaxInt,
                "of so many distinct prompts of a dimension one is held out, in all dimensions; not with test_files");
  visit.integer("evaluation_pairs", evaluation_pairs, 1, kMaxInt, "largest number of held-out pairs of each dimension for the evaluation");
  visit.group("dpo", [this](OptionVisitor& inner) { dpo.describe(inner); });
}

PreferencePairs::PreferencePairs(const PreferencePairsOptions& options, const WorkloadContext& context)
    : Workload(context.part),
      options_(options),
      seed_(context.seed),
      base_(options.base, context.seed),
      form_({.instruction = options.instruction, .instruction_key = "workload.instruction"}, options.chat_template, options.base.model),
      rule_(options.dpo.loss.rule()),
      counts_{{kTooLong, 0}, {kEqual, 0}, {kHeldOut, 0}},
      dealing_{.clients = static_cast<std::size_t>(options.clients),
               .dimensions_per_client = static_cast<std::size_t>(options.dimensions_per_client)} {
  expect(options.fields.offset.empty() || rule_.type != DpoLossType::kIpo,
         "workload.fields.offset: expected no offsets with the loss ipo, found the field '{}'", printable(options.fields.offset));
  base_.expect_positions(options.max_prompt_tokens, options.max_completion_tokens, "max_completion_tokens");
  if (part()) {
    read_part();
  } else {
    read_files(context.data_root);
  }
  factors_ = paretofl::objective_factors(holds_);
}

void PreferencePairs::set_names(std::vector<std::string> names) {
  names_ = std::move(names);
  for (std::size_t k = 0; k < names_.size(); ++k) place_of_.try_emplace(names_[k], k);
  expect(place_of_.size() == names_.size(), "workload.dimensions: expected distinct names, found {}", fmt::join(names_, ", "));
}

std::vector<DimensionPair> PreferencePairs::read_file(const std::filesystem::path& file, const PairFields& fields,
                                                      const std::string& of_file) {
  std::vector<DimensionPair> pairs = read_dimension_pairs(file, fields);
  for (DimensionPair& pair : pairs) {
    if (pair.dimension.empty()) pair.dimension = of_file;
    expect(!pair.dimension.empty(), "{}: expected the name of a dimension in each row, found a row without one", file.string());
  }
  return pairs;
}

std::vector<std::vector<DimensionPair>> PreferencePairs::by_dimension(std::vector<DimensionPair> pairs) const {
  std::vector<std::vector<DimensionPair>> sorted(names_.size());
  for (DimensionPair& pair : pairs) {
    const auto place = place_of_.find(pair.dimension);
    expect(place != place_of_.end(), "workload.dimensions: expected pairs of {} alone, found some of '{}'", fmt::join(names_, ", "),
           printable(pair.dimension));
    sorted[place->second].push_back(std::move(pair));
  }
  return sorted;
}

PreferencePairs::Pairs PreferencePairs::encoded(std::vector<DimensionPair> texts, const std::string& what) {
  const auto most = static_cast<std::size_t>(options_.max_prompt_tokens);
  const std::vector<TokenId> stop = base_.stop_tokens();
  std::optional<TokenId> end = base_.tokenizer()->end_of_sequence();
  if (!end && !stop.empty()) end = stop.front();
  const auto longest = static_cast<std::size_t>(options_.max_completion_tokens);
  Pairs pairs;
  std::vector<TokenPair> tokens;
  for (DimensionPair& text : texts) {
    const std::string prompt = text.dialogue ? text.prompt : form_.text({.prompt = text.prompt, .reference = {}});
    const PairEncoding encoding{.add_special = text.dialogue || form_.adds_special(), .end = end, .max_completion = longest};
    TokenPair pair = encode_pair(*base_.tokenizer(), prompt, text.chosen, text.rejected, encoding, what);
    if (pair.prompt_length() > most) {
      expect(!part(), "{}: expected prompts of at most {} tokens, found one of {}", what, most, pair.prompt_length());
      ++counts_[kTooLong];
      continue;
    }
    if (pair.chosen.ids == pair.rejected.ids) {
      expect(!part(), "{}: expected a pair of different completions, found two whose first {} tokens are the same, of the prompt '{}'",
             what, pair.chosen.completion_length, shown(text.prompt));
      ++counts_[kEqual];
      continue;
    }
    pair.offset = text.offset;
    tokens.push_back(std::move(pair));
    pairs.texts.push_back(std::move(text));
  }
  pairs.encoded = std::make_shared<ReferencedPairs>(base_.model(), std::move(tokens));
  return pairs;
}

void PreferencePairs::read_files(const std::filesystem::path& data_root) {
  const std::vector<std::string> files = listed_names("workload.files", options_.files);
  const std::vector<std::string> tests = listed_names("workload.test_files", options_.test_files);
  expect_different_files(files);
  std::vector<std::string> names = listed_names("workload.dimensions", options_.dimensions);
  expect(!files.empty() || options_.fields.offset.empty(), "workload.fields.offset: expected workload.files with offsets, found none");
  expect(tests.empty() || tests.size() == files.size(), "workload.test_files: expected as many files as workload.files, {}, found {}",
         files.size(), tests.size());
  const std::vector<std::string> of_files = names.size() == files.size() ? names : short_file_names(files);
  const auto read = [&](const std::vector<std::string>& from) {
    std::vector<DimensionPair> all;
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (DimensionPair& pair : read_file(data_root / from[i], options_.fields, of_files[i])) all.push_back(std::move(pair));
    }
    return all;
  };
  std::vector<DimensionPair> training = files.empty() ? built_in_pairs() : read(files);
  if (names.empty()) {
    std::set<std::string_view> seen;
    for (const DimensionPair& pair : training) {
      if (seen.insert(pair.dimension).second) names.push_back(pair.dimension);
    }
  }
  set_names(std::move(names));
  std::vector<DimensionPair> held_out = read(tests);
  if (tests.empty()) {
    PairSplit split = hold_out_pairs(std::move(training), options_.held_out_every);
    training = std::move(split.training);
    held_out = std::move(split.held_out);
    counts_[kHeldOut] = held_out.size();
  } else {
    counts_[kHeldOut] = remove_held_out(training, held_out);
  }

  std::vector<std::vector<DimensionPair>> to_train = by_dimension(std::move(training));
  std::vector<std::vector<DimensionPair>> to_test = by_dimension(std::move(held_out));
  std::vector<std::vector<std::string_view>> prompts(names_.size());
  for (std::size_t k = 0; k < names_.size(); ++k) {
    training_.push_back(encoded(std::move(to_train[k]), "workload.files"));
    held_out_.push_back(encoded(spread(std::move(to_test[k]), static_cast<std::size_t>(options_.evaluation_pairs)), "workload.test_files"));
    expect(training_[k].encoded->size() > 0 && held_out_[k].encoded->size() > 0,
           "{}: expected pairs of the dimension '{}' with prompts of at most {} tokens and different completions to train on and to "
           "evaluate on, found {} and {}{}",
           tests.empty() ? "workload.files" : "workload.files, workload.test_files", printable(names_[k]), options_.max_prompt_tokens,
           training_[k].encoded->size(), held_out_[k].encoded->size(),
           tests.empty() ? "" : fmt::format("; {} pairs of files have prompts of test_files, which are not trained on", counts_[kHeldOut]));
    for (const DimensionPair& pair : training_[k].texts) prompts[k].push_back(pair.prompt);
  }
  numbers_ = deal_pairs(prompts, names_, dealing_, seed_);
  holds_ = dealt_dimensions(dealing_, names_.size());
}

void PreferencePairs::read_part() {
  const Problem problem = read_problem(part()->folder);
  const JsonObject agreed(problem.facts, part()->file(Problem::kFile).string() + ": facts");
  set_names(agreed.texts(kDimensions));
  for (auto& [name, count] : counts_) {
    count = static_cast<std::size_t>(agreed.integer(name, 0, std::numeric_limits<std::int64_t>::max()));
  }
  holds_ = dealt_dimensions(dealing_, names_.size());
  numbers_.assign(dealing_.clients, std::vector<std::vector<std::uint32_t>>(names_.size()));

  // Of a dimension that the client does not hold there are no pairs; the server holds some of each.
  std::vector<bool> held(names_.size(), true);
  if (part()->client) {
    expect_client(*part()->client);
    held = holds_[static_cast<std::size_t>(*part()->client)];
  }
  const bool single = std::count(held.begin(), held.end(), true) == 1;
  const std::string only = single ? names_[static_cast<std::size_t>(std::find(held.begin(), held.end(), true) - held.begin())] : "";
  const auto read = [&](const char* name) {
    const std::filesystem::path file = part()->file(name);
    std::vector<std::vector<DimensionPair>> texts =
        by_dimension(read_file(file, written_pair_fields(!options_.fields.offset.empty()), only));
    std::vector<Pairs> pairs;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      expect(texts[k].empty() != held[k], "{}: expected {} of the dimension '{}', found {}", file.string(), held[k] ? "pairs" : "no pairs",
             printable(names_[k]), texts[k].size());
      pairs.push_back(encoded(std::move(texts[k]), file.string()));
    }
    return pairs;
  };
  if (part()->client) {
    training_ = read(kTrainPairs);
    std::vector<std::vector<std::uint32_t>>& numbers = numbers_[static_cast<std::size_t>(*part()->client)];
    for (std::size_t k = 0; k < names_.size(); ++k) {
      for (std::size_t i = 0; i < training_[k].encoded->size(); ++i) numbers[k].push_back(static_cast<std::uint32_t>(i));
    }
  }
  if (part()->is_server() || part()->has(kTestPairs)) held_out_ = read(kTestPairs);
  expect_no_common_prompt();
}

void PreferencePairs::expect_no_common_prompt() const {
  std::set<std::string_view> trained;
  for (const Pairs& pairs : training_) {
    for (const DimensionPair& pair : pairs.texts) trained.insert(pair.prompt);
  }
  for (const Pairs& pairs : held_out_) {
    for (const DimensionPair& pair : pairs.texts) {
      expect(!trained.contains(pair.prompt), "{}: expected prompts that are not in {}, found one that is: '{}'",
             part()->file(kTestPairs).string(), kTrainPairs, shown(pair.prompt));
    }
  }
}

nlohmann::json PreferencePairs::facts() const {
  nlohmann::json facts = {{kDimensions, names_}};
  for (const auto& [name, count] : counts_) facts[name] = count;
  return facts;
}

void PreferencePairs::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  std::vector<DimensionPair> pairs;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (client) {
      for (const std::uint32_t i : numbers_[static_cast<std::size_t>(*client)][k]) pairs.push_back(training_[k].texts[i]);
    } else {
      pairs.insert(pairs.end(), held_out_[k].texts.begin(), held_out_[k].texts.end());
    }
  }
  write_dimension_pairs(pairs, folder / (client ? kTrainPairs : kTestPairs), !options_.fields.offset.empty());
}

std::vector<double> PreferencePairs::objective_factors(int client) const {
  expect(client >= 0 && client < num_clients(), "workload: expected a client below {}, found {}", num_clients(), client);
  const std::vector<bool>& held = holds_[static_cast<std::size_t>(client)];
  return std::all_of(held.begin(), held.end(), [](bool has) { return has; }) ? std::vector<double>()
                                                                             : factors_[static_cast<std::size_t>(client)];
}

std::unique_ptr<GradientOracle> PreferencePairs::oracle(int client) const {
  expect_client(client);
  std::vector<HeldPairs> dimensions;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    dimensions.push_back({training_[k].encoded, numbers_[static_cast<std::size_t>(client)][k]});
  }
  auto own = std::make_unique<DpoOracle>(base_.model(), std::move(dimensions), options_.dpo);
  std::vector<double> factors = objective_factors(client);
  if (factors.empty()) return own;
  return std::make_unique<PartialOracle>(std::move(own), std::move(factors));
}

bool PreferencePairs::has_split(Split split) const {
  return split == Split::kTest && !held_out_.empty() &&
         std::all_of(held_out_.begin(), held_out_.end(), [](const Pairs& pairs) { return pairs.encoded->size() > 0; });
}

Evaluation PreferencePairs::evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const {
  expect(has_split(split), "evaluation: expected held-out pairs of every dimension, found none in this party's data");
  Evaluation evaluation;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    for (const auto& [metric, mean] : pair_figures(rule_, *held_out_[k].encoded, theta, pool)) {
      if (metric.ends_with("reward")) {
        evaluation.overall[metric + "/" + names_[k]] = mean;
      } else {
        evaluation.per_objective[metric].push_back(mean);
      }
    }
  }
  for (const auto& [name, count] : counts_) evaluation.overall[name] = static_cast<double>(count);
  return evaluation;
}

HeldOutFigures PreferencePairs::evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const {
  expect_client(client);
  HeldOutFigures figures;
  if (!part() || held_out_.empty()) return figures;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    const auto count = static_cast<double>(held_out_[k].encoded->size());
    if (count == 0) continue;
    const std::map<std::string, double> means = pair_figures(rule_, *held_out_[k].encoded, theta, pool);
    for (const char* metric : {"loss", "accuracy", "margin"}) {
      HeldOutFigures::Sums& sums = figures.metrics[metric];
      sums.values.resize(names_.size());
      sums.samples.resize(names_.size());
      sums.values[k] = means.at(metric) * count;
      sums.samples[k] = count;
    }
  }
  return figures;
}

void PreferencePairs::write_model(std::span<const float> theta, const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  base_.write_adapter(theta, folder);
}

}  // namespace paretofl
