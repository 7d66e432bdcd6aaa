#pragma once

#include <CLI/CLI.hpp>

namespace paretofl {

/// Each adds one subcommand to the command line and runs it from its callback. A callback throws
/// Error on bad input and CLI::RuntimeError(code) for another exit code; main.cpp prints and exits.
void add_run(CLI::App& app);
void add_sweep(CLI::App& app);
void add_list(CLI::App& app);
void add_data(CLI::App& app);
void add_split(CLI::App& app);
void add_weights(CLI::App& app);
void add_indicators(CLI::App& app);
void add_epsilon(CLI::App& app);
void add_rollout(CLI::App& app);
void add_tokenize(CLI::App& app);
void add_generate(CLI::App& app);
void add_convert(CLI::App& app);
void add_report(CLI::App& app);
void add_serve(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_export(CLI::App& app);
void add_score(CLI::App& app);
void add_train_lm(CLI::App& app);
void add_train_reward(CLI::App& app);
void add_questions(CLI::App& app);
void add_host(CLI::App& app);
void add_federate(CLI::App& app);

}  // namespace paretofl
