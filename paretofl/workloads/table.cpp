#include "paretofl/workloads/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/models/multi_head_model.h"
#include "paretofl/tables/table_facts.h"
#include "paretofl/tables/table_model.h"
#include "paretofl/tables/table_plan.h"
#include "paretofl/tables/table_reading.h"
#include "paretofl/workloads/constant_output.h"
#include "paretofl/workloads/sample_oracle.h"
#include "paretofl/workloads/table_part.h"

namespace paretofl {
namespace {

MultiHeadShape shape_of(const TableOptions& options, std::size_t inputs) {
  MultiHeadShape shape{.inputs = inputs, .hidden = {}};
  if (options.activation == "tanh") shape.activation = MultiHeadShape::Activation::kTanh;
  if (options.model == "linear") return shape;
  expect(!options.hidden.empty(),
         "workload.hidden: expected the width of at least one hidden layer, found none; model = \"linear\" has none");
  for (const double width : options.hidden) {
    expect(width == std::floor(width), "workload.hidden: expected whole numbers, found {}", width);
    shape.hidden.push_back(static_cast<std::size_t>(width));
  }
  return shape;
}

TableFormat format_of(const TableOptions& options) {
  return {.separator = options.separator == "tab" ? '\t' : options.separator == "semicolon" ? ';' : ',', .npy_columns = options.columns};
}

/// Warns of files that look like clients that the pattern leaves out.
void warn_of_files_left_out(const std::filesystem::path& data_root, const std::string& pattern) {
  const auto left_out = files_left_out(data_root, pattern, table_files(data_root, pattern));
  if (left_out.empty()) return;
  warn(
      "warning: workload.files: files that '{}' leaves out for their endings: {}, the first {}; files = \".\" reads a folder's .csv, "
      ".csv.gz and .npy files",
      pattern, left_out.size(), left_out.front().string());
}

}  // namespace

/// The rows as a model sees them.
class Table::Rows : public SampleSource {
 public:
  /// `all_known`: whether each row has a value of each target, here and in the data of all other parties.
  Rows(FeatureMatrix features, std::vector<TargetValues> targets, bool all_known)
      : features_(std::move(features)), targets_(std::move(targets)), all_known_(all_known) {}

  bool all_known() const { return all_known_; }
  const std::vector<TargetValues>& targets() const { return targets_; }
  const FeatureMatrix& features() const { return features_; }

  std::vector<double> known_shares(std::span<const std::uint32_t> samples) const override {
    std::vector<double> shares;
    if (all_known_) return shares;
    for (const TargetValues& values : targets_) {
      const auto known = std::count_if(samples.begin(), samples.end(), [&](std::uint32_t sample) { return values.known[sample] != 0; });
      shares.push_back(static_cast<double>(known) / static_cast<double>(samples.size()));
    }
    return shares;
  }

  Batch load(std::span<const std::uint32_t> samples, const Draw*, Bench& bench) const override {
    const std::size_t width = features_.width();
    bench.inputs.resize(samples.size() * width);
    for (std::size_t n = 0; n < samples.size(); ++n) {
      const auto row = features_.row(samples[n]);
      std::copy(row.begin(), row.end(), bench.inputs.begin() + static_cast<std::ptrdiff_t>(n * width));
    }
    const std::size_t marks = all_known_ ? 0 : targets_.size() * samples.size();
    bench.labels.resize(targets_.size() * samples.size() + marks);
    bench.targets.resize(targets_.size() * samples.size());
    std::size_t at = 0;
    for (const TargetValues& values : targets_) {
      for (const std::uint32_t sample : samples) {
        bench.labels[at] = values.labels.empty() ? 0 : values.labels[sample];
        bench.targets[at] = values.targets.empty() ? 0 : values.targets[sample];
        if (!all_known_) bench.labels[targets_.size() * samples.size() + at] = values.known[sample];
        ++at;
      }
    }
    const std::span<const std::uint8_t> bytes(bench.labels);
    return {
        .size = samples.size(), .inputs = bench.inputs, .labels = bytes.first(at), .targets = bench.targets, .known = bytes.subspan(at)};
  }

 private:
  FeatureMatrix features_;             // [rows, width]
  std::vector<TargetValues> targets_;  // [M]
  bool all_known_;
};

/// The tables of all clients, as they were read.
struct Table::Source {
  TablePlan plan;
  TableData table;
  RowSplit split;

  Source(const TableOptions& options, const std::vector<TableObjective>& objectives, const std::filesystem::path& data_root,
         std::uint64_t seed) {
    const auto make_schema = [&](const std::vector<std::string>& columns, const std::string& where) {
      plan = plan_table(options, objectives, columns, where);
      return plan.schema;
    };
    table = read_table(table_files(data_root, options.files), format_of(options), make_schema);
    split = plan.split ? named_split(table, *plan.split, options.split_column)
                       : draw_split(table, options.validation_fraction, options.test_fraction, seed);
    check_split(split, table);
  }
};

std::vector<TargetValues> Table::trained_targets(const TableData& table, const TablePlan& plan,
                                                 const std::vector<std::uint32_t>& train) const {
  std::vector<TargetValues> targets;
  for (std::size_t k = 0; k < objectives_.size(); ++k) {
    const ColumnCells& cells = table.columns[plan.targets[k]];
    const auto& [name, column, loss, head] = objectives_[k];
    targets.push_back(head.has_labels() ? category_targets(cells, head, column)
                                        : number_targets(cells, head, column, train, options_.standardize_targets));
  }
  return targets;
}

Table::Table(const TableOptions& options, const std::filesystem::path& data_root, std::uint64_t seed, const nlohmann::json* statistics)
    : options_(options), data_root_(data_root), seed_(seed), benches_([this] { return make_multi_head_net(shape_, heads_); }) {
  objectives_ = table_objectives(options.targets, options.losses);
  shape_of(options, 1);  // before the files are read
  std::optional<TableFacts> trained;
  if (statistics != nullptr) {
    trained = read_table_facts(*statistics, "the statistics of the training data", objectives_);
    options_ = with_features(options_, trained->features);
  }
  Source source(options_, objectives_, data_root, seed);
  warn_of_files_left_out(data_root, options.files);
  const auto& [plan, table, split] = source;
  client_names_ = table.clients;
  split_ = split;
  num_clients_ = static_cast<int>(split_.train.size());

  const std::vector<std::uint32_t> train = split_.all_train();
  std::vector<TargetValues> targets;
  FeatureMatrix features;
  if (trained) {
    try {
      targets = targets_like(trained->targets, objectives_, plan, table);
      features = feature_matrix(table, plan.schema, plan.features, trained->features);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", data_root.string(), error.what()));
    }
  } else {
    targets = trained_targets(table, plan, train);
    features = feature_matrix(table, plan.schema, plan.features, train, options.standardize);
  }
  const bool all_known = std::all_of(targets.begin(), targets.end(), [](const TargetValues& values) { return values.all_known(); });
  take_rows(std::move(features), std::move(targets), all_known);
  check_known(train, "training");
  check_known(split_.test, "testing");
  if (has_split(Split::kValidation)) check_known(split_.validation, "validation");
}

Table::Table(const TableOptions& options, ProblemPart party, std::uint64_t seed)
    : Workload(std::move(party)), options_(options), seed_(seed), benches_([this] { return make_multi_head_net(shape_, heads_); }) {
  objectives_ = table_objectives(options.targets, options.losses);
  TablePart read = read_table_part(options, objectives_, *part());
  num_clients_ = read.clients;
  split_ = std::move(read.split);
  take_rows(std::move(read.features), std::move(read.targets), read.all_known);
  for (std::size_t k = 0; k < objectives_.size(); ++k) {
    expect(!read.all_known || rows_->targets()[k].all_known(), "{}: expected a value of '{}' in every row, found a row without one",
           part()->folder.string(), printable(objectives_[k].column));
  }
}

void Table::take_rows(FeatureMatrix features, std::vector<TargetValues> targets, bool all_known) {
  for (std::size_t k = 0; k < objectives_.size(); ++k) {
    names_.push_back(objectives_[k].name);
    heads_.push_back(targets[k].head);
  }
  rows_ = std::make_unique<Rows>(std::move(features), std::move(targets), all_known);
  shape_ = shape_of(options_, rows_->features().width());
  layout_ = BenchPool::Lease(benches_)->model->layout();
}

Table::~Table() = default;

const std::vector<Feature>& Table::features() const { return rows_->features().features; }

bool Table::known_in(const std::vector<std::uint32_t>& rows, std::size_t objective) const {
  const std::vector<std::uint8_t>& known = rows_->targets()[objective].known;
  return std::any_of(rows.begin(), rows.end(), [&](std::uint32_t row) { return known[row] != 0; });
}

bool Table::has_split(Split split) const {
  if (!part()) return split == Split::kTest || !split_.validation.empty();
  for (std::size_t k = 0; k < names_.size(); ++k) {
    if (!known_in(rows_of(split), k)) return false;
  }
  return true;
}

nlohmann::json Table::statistics() const {
  nlohmann::json json = to_json({features(), rows_->targets()});
  json.erase("all_known");
  return json;
}

nlohmann::json Table::facts() const { return to_json({rows_->features().features, rows_->targets(), rows_->all_known()}); }

const Table::Source& Table::source() const {
  const std::scoped_lock lock(reading_);
  if (source_ == nullptr) source_ = std::make_unique<const Source>(options_, objectives_, data_root_, seed_);
  return *source_;
}

void Table::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  const auto& [plan, table, split] = source();
  const auto write = [&, &plan = plan, &table = table](const std::vector<std::uint32_t>& rows, const std::string& stem) {
    write_table_rows(plan, table, rows, folder / (stem + ".csv"));
  };
  if (!client) {
    write(split.validation, "validation");
    return write(split.test, "test");
  }
  const std::vector<std::uint32_t>& own = table.client_rows.at(static_cast<std::size_t>(*client));
  const std::set<std::uint32_t> rows(own.begin(), own.end());
  const auto of_client = [&](const std::vector<std::uint32_t>& all) {
    std::vector<std::uint32_t> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some), [&](std::uint32_t row) { return rows.contains(row); });
    return some;
  };
  write(split.train[static_cast<std::size_t>(*client)], "train");
  write(of_client(split.validation), "validation");
  write(of_client(split.test), "test");
}

void Table::check_known(const std::vector<std::uint32_t>& rows, std::string_view purpose) const {
  for (std::size_t k = 0; k < names_.size(); ++k) {
    expect(known_in(rows, k), "workload.targets: expected a row for {} with a value of '{}', found none", purpose, printable(names_[k]));
  }
}

Parameters Table::initial_parameters() const {
  Parameters parameters(layout_);
  BenchPool::Lease(benches_)->model->initialize(Random({seed_, 0, kServerStream}, "initial parameters"), parameters.values());
  return parameters;
}

std::unique_ptr<GradientOracle> Table::oracle(int client) const {
  expect_client(client);
  return std::make_unique<SampleOracle>(benches_, *rows_, split_.train[part() ? 0 : static_cast<std::size_t>(client)],
                                        static_cast<std::size_t>(options_.batch_size));
}

bool Table::shares_unit(const std::string& metric) const {
  if (metric == "accuracy") return true;
  return metric == "loss" && std::all_of(heads_.begin(), heads_.end(),
                                         [&](const Head& head) { return head.loss == heads_[0].loss && head.level == heads_[0].level; });
}

std::vector<HeadSums> Table::sums_over(std::span<const float> theta, std::span<const std::uint32_t> rows, ThreadPool& pool) const {
  expect(theta.size() == layout_->size(), "evaluation: expected {} parameters, found {}", layout_->size(), theta.size());
  constexpr std::size_t kChunk = 256;
  std::vector<std::vector<HeadSums>> chunks((rows.size() + kChunk - 1) / kChunk, std::vector<HeadSums>(heads_.size()));
  pool.for_each(chunks.size(), [&](std::size_t chunk) {
    const BenchPool::Lease bench(benches_);
    const std::size_t begin = chunk * kChunk;
    const Batch batch = rows_->load(rows.subspan(begin, std::min(kChunk, rows.size() - begin)), nullptr, *bench);
    static_cast<MultiHeadModel&>(*bench->model).add_sums(theta, batch, chunks[chunk]);
  });
  std::vector<HeadSums> sums(heads_.size());
  for (const auto& chunk : chunks) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += chunk[k];
  }
  return sums;
}

Evaluation Table::evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const {
  const std::vector<HeadSums> sums = sums_over(theta, rows_of(split), pool);
  const auto classes = static_cast<std::size_t>(std::count_if(heads_.begin(), heads_.end(), [](const Head& h) { return h.has_labels(); }));
  const bool mixed = classes > 0 && classes < heads_.size();
  Evaluation result;
  const auto add = [&](const std::string& metric, std::size_t k, double value) {
    if (mixed) {
      result.overall[metric + "/" + names_[k]] = value;
    } else {
      result.per_objective[metric].push_back(value);
    }
  };
  for (std::size_t k = 0; k < sums.size(); ++k) {
    result.per_objective["loss"].push_back(sums[k].loss / sums[k].samples);
    if (heads_[k].has_labels()) {
      add("accuracy", k, sums[k].correct / sums[k].samples);
    } else {
      const double scale = rows_->targets()[k].scale;
      add("mae", k, scale * sums[k].absolute_error / sums[k].samples);
      add("rmse", k, scale * std::sqrt(sums[k].squared_error / sums[k].samples));
    }
  }
  return result;
}

HeldOutFigures Table::evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const {
  expect_client(client);
  HeldOutFigures figures;
  const std::vector<std::uint32_t>& rows = part() ? split_.test : split_.test_of_client[static_cast<std::size_t>(client)];
  if (rows.empty()) return figures;
  const std::vector<HeadSums> sums = sums_over(theta, rows, pool);
  const auto add = [&](const std::string& metric, std::size_t k, double sum) {
    HeldOutFigures::Sums& of_metric = figures.metrics[metric];
    of_metric.values.resize(sums.size());
    of_metric.samples.resize(sums.size());
    of_metric.values[k] = sum;
    of_metric.samples[k] = sums[k].samples;
  };
  for (std::size_t k = 0; k < sums.size(); ++k) {
    add("loss", k, sums[k].loss);
    if (heads_[k].has_labels()) {
      add("accuracy", k, sums[k].correct);
    } else {
      add("mae", k, rows_->targets()[k].scale * sums[k].absolute_error);
    }
  }
  return figures;
}

std::map<std::string, std::vector<double>> Table::constant_predictor() const {
  if (part()) return {};
  const std::vector<std::uint32_t> train = split_.all_train();
  std::vector<float> theta(layout_->size());
  for (std::size_t k = 0; k < heads_.size(); ++k) {
    const Range bias = layout_->slice(fmt::format("head{}.bias", k)).range;
    const std::vector<double> outputs = constant_output(rows_->targets()[k], train);
    std::transform(outputs.begin(), outputs.end(), theta.begin() + static_cast<std::ptrdiff_t>(bias.begin),
                   [](double x) { return static_cast<float>(x); });
  }
  ThreadPool pool(1);
  return evaluate(theta, Split::kTest, pool).per_objective;
}

std::vector<std::string> Table::exact_statistics() const {
  if (part()) return {};  // scales that the parties have agreed on
  std::vector<std::string> found;
  const auto scaled = [](const Feature& feature) { return feature.standardized; };
  if (std::any_of(features().begin(), features().end(), scaled)) found.emplace_back("workload.standardize = true");
  const auto is_number = [](const Head& head) { return !head.has_labels(); };
  if (options_.standardize_targets && std::any_of(heads_.begin(), heads_.end(), is_number)) {
    found.emplace_back("workload.standardize_targets = true");
  }
  if (options_.missing == "mean") found.emplace_back("workload.missing = \"mean\"");
  return found;
}

std::optional<NetworkGraph> Table::network() const {
  const std::vector<Slice>& slices = layout_->slices();
  const bool taken = std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
    return name == "features" || name.starts_with("value:") ||
           std::any_of(slices.begin(), slices.end(), [&](const Slice& slice) { return slice.name == name; });
  });
  if (taken) return std::nullopt;
  auto graph = BenchPool::Lease(benches_)->model->network(names_);
  std::vector<double> means;
  std::vector<double> deviations;
  for (const Feature& feature : features()) {
    const bool varies = feature.category ? feature.seen : !feature.standardized || static_cast<float>(feature.scale.deviation) > 0;
    means.push_back(feature.standardized ? feature.scale.mean : 0);
    deviations.push_back(!varies ? std::numeric_limits<double>::infinity() : feature.standardized ? feature.scale.deviation : 1);
  }
  graph->normalize_input(means, deviations);
  for (std::size_t k = 0; k < heads_.size(); ++k) {
    const TargetValues& values = rows_->targets()[k];
    if (!heads_[k].has_labels()) graph->scale_output(names_[k], values.scale, values.mean);
  }
  return graph;
}

void Table::write_model(std::span<const float> theta, const std::filesystem::path& folder) const {
  write_table_model({.features = features(),
                     .missing_is_mean = options_.missing == "mean",
                     .targets = rows_->targets(),
                     .objectives = objectives_,
                     .activation = options_.activation},
                    *layout_, theta, folder);
}

}  // namespace paretofl
