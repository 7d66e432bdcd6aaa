#include "paretofl/workloads/language_workloads.h"

#include "paretofl/workloads/alignment.h"
#include "paretofl/workloads/preference_pairs.h"
#include "paretofl/workloads/reasoning.h"
#include "paretofl/workloads/workload_defaults.h"

namespace paretofl {
namespace {

/// The settings of FedMOA's section 4.1 for a task of that name: prompts of 512 tokens, completions of 1024. For `math` the paper trains
/// on DAPO-Math-17k instead of MATH's own training problems.
ReasoningOptions published_questions(const std::string& task, const std::string& accuracy) {
  ReasoningOptions options;
  options.clients = 10;
  options.tasks = {{task, {task, {}}}};
  options.rewards["accuracy"] = {accuracy, {}};
  options.groups = task + ":accuracy+format+tag_count";
  options.instruction =
      "{question}\n\nReason step by step between <think> and </think>, then give the final answer alone between <answer> and </answer>.";
  options.max_prompt_tokens = 512;
  options.grpo.max_new_tokens = 1024;
  return options;
}

/// Programs, trained on MBPP and tested on the set named.
ReasoningOptions programs(const std::string& test_set) {
  ReasoningOptions options = published_questions("mbpp", "code_accuracy");
  if (test_set != "mbpp") options.test_sets = {{"mbpp", {test_set, {}}}};
  options.rewards.erase("format");
  options.rewards["code_format"] = {"code_format", {}};
  options.groups = "mbpp:accuracy+code_format+tag_count";
  options.instruction =
      "{question}\n\nReason step by step between <think> and </think>, then give the whole program in one ```python block between "
      "<answer> and </answer>.";
  return options;
}

ReasoningOptions arithmetic() {
  ReasoningOptions options;
  options.tasks = {{"sums", {"sums", {}}}, {"expressions", {"expressions", {}}}, {"word_problems", {"word_problems", {}}}};
  options.groups = "sums:accuracy+format+tag_count,expressions:accuracy+format+tag_count,word_problems:accuracy+format+tag_count";
  return options;
}

/// A language model that learns to answer questions.
Registry<WorkloadFactory>::Entry answering(std::string name, std::string summary, const ReasoningOptions& defaults) {
  return {{std::move(name), std::move(summary), "FedMOA, section 4", described_as(defaults)},
          [defaults](const Settings& settings, const WorkloadContext& context) {
            return std::make_unique<Reasoning>(read_over(defaults, settings), context);
          }};
}

}  // namespace

std::vector<Registry<WorkloadFactory>::Entry> language_workloads() {
  return {{{"alignment", "a language model under several rewards; needs no download by default", "FIRM, section 5",
            described<AlignmentOptions>()},
           [](const Settings& settings, const WorkloadContext& context) {
             return std::make_unique<Alignment>(read_options<AlignmentOptions>(settings, "workload"), context);
           }},
          {{"preference_pairs", "a language model under preference pairs of several dimensions (DPO); needs no download by default",
            "Rafailov et al. 2023", described<PreferencePairsOptions>()},
           [](const Settings& settings, const WorkloadContext& context) {
             return std::make_unique<PreferencePairs>(read_options<PreferencePairsOptions>(settings, "workload"), context);
           }},
          answering("reasoning", "a language model learns from rewards to answer questions; needs no download by default", {}),
          answering("arithmetic", "a language model learns to solve sums, expressions and word problems; needs no download", arithmetic()),
          answering("gsm8k", "a language model learns to answer GSM8K's questions, from the published files",
                    published_questions("gsm8k", "gsm8k_accuracy")),
          answering("math", "a language model learns to answer MATH's questions, from the published files",
                    published_questions("math", "math_accuracy")),
          answering("mbpp", "a language model learns to write MBPP's programs, which are tested in a sandbox", programs("mbpp")),
          answering("humaneval", "a language model learns to write MBPP's programs and is tested on HumanEval", programs("humaneval"))};
}

}  // namespace paretofl
