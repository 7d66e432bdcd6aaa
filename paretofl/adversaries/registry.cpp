#include "paretofl/adversaries/adversary.h"
#include "paretofl/adversaries/altered_reply.h"
#include "paretofl/registry/option_reader.h"

namespace paretofl {
namespace {

using AdversaryRegistry = Registry<Adversary(const Settings&)>;

AdversaryRegistry::Entry no_adversary() {
  return {{"none", "every client is honest", "", [](OptionVisitor&) {}}, [](const Settings& settings) {
            OptionReader(settings, "adversary").finish();
            return Adversary{};
          }};
}

/// An adversary without options of its own.
AdversaryRegistry::Entry adversary_entry(std::string name, std::string summary, std::string reference, std::function<void(Reply&)> alter) {
  return {{std::move(name), std::move(summary), std::move(reference), described<AdversaryOptions>()},
          [alter = std::move(alter)](const Settings& settings) {
            return Adversary{.share = read_options<AdversaryOptions>(settings, "adversary").share, .alter = alter};
          }};
}

AdversaryRegistry::Entry scale_entry() {
  return {
      {"scale", "multiplies its update, and the jacobian that it sends, by a factor", "Bagdasaryan et al. 2020", described<ScaleOptions>()},
      [](const Settings& settings) {
        const auto options = read_options<ScaleOptions>(settings, "adversary");
        return Adversary{.share = options.base.share, .alter = [factor = options.factor](Reply& reply) { scale_numbers(reply, factor); }};
      }};
}

AdversaryRegistry::Entry poison_entry() {
  return {{"poison_objective", "trains one objective upwards: negates its losses and gradients, and is honest otherwise", "",
           described<PoisonOptions>()},
          [](const Settings& settings) {
            const auto options = read_options<PoisonOptions>(settings, "adversary");
            return Adversary{.share = options.base.share, .poisoned_objective = options.objective};
          }};
}

}  // namespace

void AdversaryOptions::describe(OptionVisitor& visit) {
  visit.real("share", share, 0, 1, "share of the clients that lie, drawn from the seed");
}

void ScaleOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("factor", factor, -1e30, 1e30, "what the client multiplies by");
}

void PoisonOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.integer("objective", objective, 0, kMaxInt, "index of the objective that is poisoned");
}

AdversaryRegistry& adversaries() {
  static AdversaryRegistry registry(
      "adversary",
      {no_adversary(),
       adversary_entry("sign_flip", "sends the negative of its update, and of the jacobian that it sends", "Li et al. 2019",
                       [](Reply& reply) { scale_numbers(reply, -1); }),
       scale_entry(), adversary_entry("not_finite", "sends NaNs in the place of all real numbers", "", spoil_numbers),
       adversary_entry("oversized", "sends twice as many numbers as it should", "", repeat_numbers),
       adversary_entry("malformed", "leaves out all that a message holds beside the update and the losses", "", leave_out_fields),
       poison_entry()});
  return registry;
}

Adversary make_adversary(const Component& component) { return adversaries().at(component.name).make(component.settings); }

}  // namespace paretofl
