#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <new>

#include "apps/commands.h"
#include "paretofl/runtimes/intra_op_threads.h"

int main(int argc, char** argv) {
  paretofl::limit_intra_op_threads();
  CLI::App app{"ParetoFL: federated multi-objective learning, bit-reproducible", "paretofl"};
  app.require_subcommand(1);
  app.footer("Example: paretofl run experiments/fedcmoo/fedcmoo-glyphs.toml --dir runs/glyphs\n`paretofl SUBCOMMAND --help` has more.");
  app.set_version_flag("--version", "paretofl 0.1.0");
  paretofl::add_run(app);
  paretofl::add_sweep(app);
  paretofl::add_list(app);
  paretofl::add_data(app);
  paretofl::add_weights(app);
  paretofl::add_indicators(app);
  paretofl::add_rollout(app);
  paretofl::add_tokenize(app);
  paretofl::add_generate(app);
  paretofl::add_convert(app);
  paretofl::add_report(app);
  paretofl::add_score(app);
  paretofl::add_train_lm(app);
  paretofl::add_train_reward(app);
  paretofl::add_questions(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& exit) {
    return exit.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "paretofl: memory: expected enough for what was asked, found none left\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "paretofl: {}\n", error.what());
    return 1;
  }
  return 0;
}
