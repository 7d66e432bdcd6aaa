#include "paretofl/runs/trained_model.h"

#include <algorithm>
#include <array>

#include "paretofl/core/count_scalar.h"
#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/objectives/preference.h"
#include "paretofl/runs/checkpoint_store.h"
#include "paretofl/runs/plugin_files.h"
#include "paretofl/runs/run_directory.h"

namespace paretofl {
namespace {

/// In the states of personalized strategies: the models that are sent next, by whatever name, and, where these are others, those that
/// the clients trained last.
constexpr std::array kMixed = {"mixed", "models"};
constexpr const char* kTrained = "trained";
/// Likewise where there is a model for every preference.
constexpr const char* kVertices = "vertices";

std::vector<float> copy_of(std::span<const float> values) { return {values.begin(), values.end()}; }

const Record* first_of(const Record& state, std::span<const char* const> names) {
  for (const char* name : names) {
    if (const auto found = state.records.find(name); found != state.records.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace

TrainedModel TrainedModel::load(const std::filesystem::path& run) {
  RunDirectory::config_of(run);
  const std::filesystem::path folder = run / "checkpoints";
  std::error_code error;
  const bool any = std::filesystem::is_directory(folder, error);  // which a store would make
  const auto newest = any ? CheckpointStore(folder).load_newest() : std::nullopt;
  expect(newest.has_value(), "{}: expected a run with a checkpoint, found none", run.string());
  for (const std::string& warning : newest->warnings) warn("{}", warning);

  TrainedModel model;
  model.round_ = newest->round;
  model.identity_ = newest->state.record("settings").texts;
  const auto& records = newest->state.records;
  if (const auto plugins = records.find(kPluginFiles); plugins != records.end()) model.plugins_ = plugins->second.texts;
  if (const auto found = records.find(ModelDescription::kRecord); found != records.end()) {
    model.description_ = ModelDescription::load(found->second);
  }
  const Record& server = newest->state.record("server");
  model.shared_ = copy_of(server.array("parameters").floats());
  const std::size_t d = model.size();
  expect(!model.description_ || model.description_->layout->size() == d, "{}: expected {} parameters, as their names say, found {}",
         run.string(), model.description_ ? model.description_->layout->size() : 0, d);

  const Record& strategy = server.record("server");
  if (const Record* mixed = first_of(strategy, kMixed)) {
    model.clients_ = copy_of(mixed->array("models").floats());
    if (const auto trained = strategy.records.find(kTrained); trained != strategy.records.end()) {
      model.fine_tuned_ = copy_of(trained->second.array("models").floats());
    }
    if (const auto tuned = model.identity_.find("strategy.fine_tune"); tuned != model.identity_.end() && tuned->second == "true") {
      model.clients_ = std::move(model.fine_tuned_);
      model.fine_tuned_.clear();
    }
  }
  if (const auto vertices = strategy.records.find(kVertices); vertices != strategy.records.end()) {
    model.vertices_ = copy_of(vertices->second.array("models").floats());
    expect(d > 0 && model.vertices_.size() % d == 0,
           "{}: expected vertices of {} numbers each in the state of the strategy, found {} numbers", run.string(), d,
           model.vertices_.size());
    const std::size_t objectives = model.vertices_.size() / d;
    const auto preferences = vertices->second.array("preferences").doubles();
    for (std::size_t i = 0; i + objectives <= preferences.size(); i += objectives) {
      model.preferences_.emplace_back(preferences.begin() + static_cast<std::ptrdiff_t>(i),
                                      preferences.begin() + static_cast<std::ptrdiff_t>(i + objectives));
    }
  }
  const std::size_t described = model.description_ ? model.description_->client_models : d == 0 ? 0 : model.clients_.size() / d;
  expect(model.clients_.size() == described * d && (model.fine_tuned_.empty() || model.fine_tuned_.size() == model.clients_.size()),
         "{}: expected the models of {} clients in the state of the strategy, found {} numbers", run.string(), described,
         model.clients_.size());

  if (const auto choice = records.find("chosen"); choice != records.end()) {
    model.chosen_round_ = count_scalar(choice->second, "round");
    model.chosen_ = copy_of(float_array(choice->second, "theta", model.chosen_round_ > 0 ? d : 0));
  }
  return model;
}

const std::string& TrainedModel::setting(std::string_view key) const {
  const auto found = identity_.find(key);
  expect(found != identity_.end(), "checkpoint: expected the setting {}, found none", key);
  return found->second;
}

std::span<const float> TrainedModel::theta(std::optional<int> client) const {
  if (clients_.empty()) {
    expect(!client, "client: expected none for a run whose clients share one model, found {}", *client);
    return chosen() ? chosen_ : shared_;
  }
  if (!client && share_one()) return std::span(clients_).first(size());
  expect(client.has_value(), "client: expected one of the {} clients, which have models of their own, found none", num_clients());
  expect(*client >= 0 && static_cast<std::size_t>(*client) < num_clients(), "client: expected a number from 0 to {}, found {}",
         num_clients() - 1, *client);
  return std::span(clients_).subspan(static_cast<std::size_t>(*client) * size(), size());
}

bool TrainedModel::share_one() const {
  const std::span<const float> all(clients_);
  for (std::size_t i = 1; i < num_clients(); ++i) {
    if (!std::ranges::equal(all.subspan(i * size(), size()), all.first(size()))) return false;
  }
  return true;
}

std::vector<float> TrainedModel::at(std::span<const double> preference) const {
  expect(has_preferences() || !identity_.contains("workload.agent.front_preferences"),
         "preference: expected none, since one model takes the preference as an input, as its exported network does; found one of {} "
         "numbers",
         preference.size());
  expect(has_preferences(), "preference: expected none for a run without a model for every preference, found one of {} numbers",
         preference.size());
  const Preference shares({preference.begin(), preference.end()}, vertices_.size() / size());
  std::vector<float> theta(size());
  mix_models(vertices_, shares.weights(), theta);
  return theta;
}

std::optional<ModelSimplex> TrainedModel::simplex(const std::shared_ptr<const Layout>& layout) const {
  if (!has_preferences()) return std::nullopt;
  ModelSimplex simplex(Parameters(layout), vertices_.size() / size(), preferences_);
  Record state;
  state.arrays.emplace("models", Array(std::span<const float>(vertices_)));
  simplex.load(state);
  return simplex;
}

std::optional<ClientModels> TrainedModel::models(const std::vector<float>& values, const std::shared_ptr<const Layout>& layout) const {
  if (values.empty()) return std::nullopt;
  ClientModels models(Parameters(layout), static_cast<int>(num_clients()));
  Record state;
  state.arrays.emplace("models", Array(std::span<const float>(values)));
  models.load(state);
  return models;
}

}  // namespace paretofl
