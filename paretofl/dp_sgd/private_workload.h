#pragma once

#include <functional>

#include "paretofl/privacy/privacy_options.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// A workload whose clients train with noise that hides their single samples (private_oracle.h), in all of their local steps. Everything
/// else is the other workload's.
class PrivateWorkload : public Workload {
 public:
  /// `inner` must outlive the object. `root` gives each client a secret of its own. Throws Error unless the gradients are means over
  /// samples, and learners and local steps are made of nothing else.
  PrivateWorkload(const Workload& inner, const PrivacyOptions& options, std::function<Secret(int client)> root);

  nlohmann::json facts() const override;
  nlohmann::json statistics() const override;
  Texts code() const override { return inner_.code(); }
  int num_clients() const override { return inner_.num_clients(); }
  const std::vector<std::string>& objective_names() const override { return inner_.objective_names(); }
  const std::shared_ptr<const Layout>& layout() const override { return inner_.layout(); }
  Parameters initial_parameters() const override { return inner_.initial_parameters(); }

  std::unique_ptr<GradientOracle> oracle(int client) const override;
  std::vector<double> objective_factors(int client) const override { return inner_.objective_factors(client); }
  Preference preference(int client) const override { return inner_.preference(client); }
  std::optional<Preference> shared_preference(int client) const override { return inner_.shared_preference(client); }

  bool has_split(Split split) const override { return inner_.has_split(split); }
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override {
    return inner_.evaluate(theta, split, pool);
  }

 private:
  std::unique_ptr<GradientOracle> make_oracle(int client, const Secret& key) const;

  const Workload& inner_;
  PrivacyOptions options_;
  std::function<Secret(int client)> root_;
};

}  // namespace paretofl
