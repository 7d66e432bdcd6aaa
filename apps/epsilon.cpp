#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/commands.h"
#include "apps/numbers.h"
#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/privacy/noise_search.h"
#include "paretofl/privacy/privacy_accountant.h"
#include "paretofl/registry/options.h"

namespace paretofl {
namespace {

constexpr const char* kEpsilonFooter =
    R"(The noise multiplier is the standard deviation of the noise divided by the L2 sensitivity, the largest
change of the released sum between neighbouring data sets. With clients' vectors clipped to the norm C:
  --sampling-rate Q        each client takes part in a round with probability Q on its own (Poisson sampling);
                           neighbours differ by one client more or less; the sensitivity is C
  --cohort n --clients N   n of N clients without replacement; neighbours differ in one client's data; the
                           sensitivity is 2 C; accountant rdp only
`pld` composes privacy loss distributions and is the tighter one; `rdp` adds up Renyi differential privacy.

Example: 10,000 rounds with one client in a hundred
  paretofl epsilon --noise-multiplier 1.1 --sampling-rate 0.01 --rounds 10000 --delta 1e-5 --accountant rdp --json
prints
  {"epsilon":5.6320})";

struct EpsilonArguments {
  std::optional<double> noise_multiplier;
  std::optional<double> epsilon;
  std::optional<double> sampling_rate;
  std::optional<std::int64_t> cohort;
  std::optional<std::int64_t> clients;
  std::int64_t rounds = 0;
  std::int64_t releases = 1;
  double delta = 0;
  std::string accountant = "pld";
  bool json = false;
};

CohortSampling sampling_of(const EpsilonArguments& arguments) {
  if (arguments.sampling_rate) {
    expect(!arguments.cohort && !arguments.clients, "--sampling-rate: expected it or --cohort with --clients, found both");
    return CohortSampling::poisson(*arguments.sampling_rate);
  }
  expect(arguments.cohort && arguments.clients, "sampling: expected --sampling-rate, or --cohort with --clients; found {}",
         arguments.cohort    ? "--cohort without --clients"
         : arguments.clients ? "--clients without --cohort"
                             : "neither");
  return CohortSampling::fixed_size(*arguments.cohort, *arguments.clients);
}

void expect_count(const char* option, std::int64_t count) {
  expect(count >= 1 && count <= kMaxInt, "{}: expected a whole number from 1 to {}, found {}", option, kMaxInt, count);
}

void print_epsilon(const EpsilonArguments& arguments) {
  expect(arguments.noise_multiplier.has_value() != arguments.epsilon.has_value(),
         "expected one of --noise-multiplier and --epsilon, found {}", arguments.epsilon ? "both" : "neither");
  expect_count("--rounds", arguments.rounds);
  expect_count("--releases", arguments.releases);
  const PlannedReleases plan{sampling_of(arguments), arguments.rounds, arguments.releases};
  const double noise = arguments.epsilon ? smallest_noise_multiplier(arguments.accountant, plan, *arguments.epsilon, arguments.delta)
                                         : *arguments.noise_multiplier;
  const double epsilon = planned_epsilon(arguments.accountant, plan, noise, arguments.delta);
  if (arguments.json) {
    nlohmann::ordered_json result;
    if (arguments.epsilon) result["noise_multiplier"] = noise;
    result["epsilon"] = epsilon;
    write_output("{}\n", result.dump());
  } else {
    write_output("{} with noise multiplier {:.6g} {} ({:.6g}, {:g})-differentially private (accountant {}).\n",
                 arguments.rounds == 1 ? "1 round" : fmt::format("{} rounds", arguments.rounds), noise,
                 arguments.rounds == 1 ? "is" : "are", epsilon, arguments.delta, arguments.accountant);
  }
}

}  // namespace

void add_epsilon(CLI::App& app) {
  auto* command =
      app.add_subcommand("epsilon", "Compute the differential privacy of rounds with Gaussian noise, or the noise for an epsilon");
  auto arguments = std::make_shared<EpsilonArguments>();
  command->add_option("--noise-multiplier", arguments->noise_multiplier, "standard deviation of the noise over the L2 sensitivity")
      ->check(real_number())
      ->type_name("X");
  command->add_option("--epsilon", arguments->epsilon, "find the smallest noise multiplier that stays within this epsilon")
      ->check(real_number())
      ->type_name("E");
  command->add_option("--sampling-rate", arguments->sampling_rate, "probability with which each client takes part in a round")
      ->check(real_number())
      ->type_name("Q");
  command->add_option("--cohort", arguments->cohort, "clients per round, drawn without replacement")
      ->transform(whole_number())
      ->type_name("n");
  command->add_option("--clients", arguments->clients, "clients to draw from")->transform(whole_number())->type_name("N");
  command->add_option("--rounds", arguments->rounds, "number of rounds")->transform(whole_number())->required()->type_name("N");
  command
      ->add_option("--releases", arguments->releases,
                   "releases per round over the same cohort, such as a sketch and an update (default: 1)")
      ->transform(whole_number())
      ->type_name("K");
  command->add_option("--delta", arguments->delta, "delta of (epsilon, delta)-differential privacy, from 1e-12 to below 1")
      ->required()
      ->check(real_number())
      ->type_name("D");
  command
      ->add_option("--accountant", arguments->accountant, "how privacy losses are added up: pld (the tighter bound) or rdp (default: pld)")
      ->type_name("NAME");
  command->add_flag("--json", arguments->json, "print {\"epsilon\"}, with --epsilon also \"noise_multiplier\", instead of a sentence");
  command->footer(kEpsilonFooter);
  command->callback([arguments] { print_epsilon(*arguments); });
}

}  // namespace paretofl
