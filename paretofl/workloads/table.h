#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "paretofl/models/head_sums.h"
#include "paretofl/models/multi_head_shape.h"
#include "paretofl/tables/feature_matrix.h"
#include "paretofl/tables/row_split.h"
#include "paretofl/tables/table_objective.h"
#include "paretofl/tables/table_options.h"
#include "paretofl/tables/table_plan.h"
#include "paretofl/tables/target_values.h"
#include "paretofl/workloads/bench_pool.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// Prediction of columns of a user's own tables from other columns, one objective per target and loss, by a network whose hidden layers
/// the objectives share (MultiHeadNet). A client is a file, or the rows that have its name in a column. What is scaled is scaled by the
/// training rows of all clients. Neither the order of the rows in the files nor how clients are spread over files makes a difference.
class Table : public Workload {
 public:
  /// Reads the files below `data_root`. Throws Error, naming the option or the file, its line and its column, for what does not fit.
  /// With the statistics() of other data, categories, classes and scales are those of these data, of which columns that neither they nor
  /// the options name are not read.
  Table(const TableOptions& options, const std::filesystem::path& data_root, std::uint64_t seed,
        const nlohmann::json* statistics = nullptr);
  /// Reads the files of a party's folder. Throws Error, naming the file, its line and its column, for what does not fit problem.json.
  Table(const TableOptions& options, ProblemPart part, std::uint64_t seed);
  ~Table() override;

  int num_clients() const override { return num_clients_; }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override;
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  bool has_local_losses() const override { return true; }
  /// Only where the seed chooses the rows that are held out.
  bool seed_changes_problem() const override { return options_.split_column.empty(); }
  /// Losses of one kind are in one unit, accuracies too; errors are in the units of their targets.
  bool shares_unit(const std::string& metric) const override;
  /// A client's part has a split where it holds out rows, at least one with a value of each target.
  bool has_split(Split split) const override;
  /// TableFacts: the features, the classes and scales of the targets, whether all targets are known.
  nlohmann::json facts() const override;
  /// The features and the targets of facts(), without means that have no use.
  nlohmann::json statistics() const override;
  /// train.csv, validation.csv and test.csv of a client's own rows, in the order of the training; validation.csv and test.csv of the rows
  /// that all clients hold out, for the server. A file without a row is not written. The columns are those of the targets and the features,
  /// with their names. Reads the tables again, which must be as they were.
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;
  /// "loss" [M], over the rows that have a value of the target; of scaled targets in that scale. If all targets are classes, "accuracy"
  /// [M]; if all are numbers, "mae" and "rmse" [M], in the units of the files. Otherwise these are under "overall" as "accuracy/TARGET".
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  /// "loss", "accuracy" of classes and "mae" of numbers on the test rows of the client that have a value of the target.
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;
  /// Of the constant outputs with the least loss on the training rows. No part has it, since it takes the rows of all clients.
  std::map<std::string, std::vector<double>> constant_predictor() const override;
  std::vector<std::string> exact_statistics() const override;

  /// From "features" [width] as they are in the files, in the order of features(), a category being 1 or 0, to the predictions of numbers
  /// in their units and the scores of classes, each by the name of its objective. None where an objective has the name of another value.
  std::optional<NetworkGraph> network() const override;

  /// table.json: what write_table_model() of table_model.h writes.
  void write_model(std::span<const float> theta, const std::filesystem::path& folder) const override;

  const std::vector<std::string>& client_names() const { return client_names_; }  ///< in the order of the clients; none in a part
  const std::vector<Feature>& features() const;                                   ///< inputs of the model

 private:
  class Rows;
  struct Source;

  const Source& source() const;  ///< of a simulation: the tables, which are read again on the first call
  bool known_in(const std::vector<std::uint32_t>& rows, std::size_t objective) const;
  /// With the classes and scales of these data.
  std::vector<TargetValues> trained_targets(const TableData& table, const TablePlan& plan, const std::vector<std::uint32_t>& train) const;
  /// Makes the model, of features and targets that are known.
  void take_rows(FeatureMatrix features, std::vector<TargetValues> targets, bool all_known);

  const std::vector<std::uint32_t>& rows_of(Split split) const { return split == Split::kTest ? split_.test : split_.validation; }
  /// Throws Error unless each objective is known of some row.
  void check_known(const std::vector<std::uint32_t>& rows, std::string_view purpose) const;
  std::vector<HeadSums> sums_over(std::span<const float> theta, std::span<const std::uint32_t> rows, ThreadPool& pool) const;

  TableOptions options_;
  std::filesystem::path data_root_;
  std::uint64_t seed_;
  int num_clients_ = 0;
  std::vector<TableObjective> objectives_;
  std::vector<std::string> names_;
  std::vector<std::string> client_names_;
  RowSplit split_;  // of a client's part: train has its rows alone
  std::unique_ptr<const Rows> rows_;
  MultiHeadShape shape_;
  std::vector<Head> heads_;
  mutable BenchPool benches_;
  std::shared_ptr<const Layout> layout_;
  mutable std::mutex reading_;
  mutable std::unique_ptr<const Source> source_;
};

}  // namespace paretofl
