#include "paretofl/serve/prometheus_text.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace paretofl {
namespace {

using Json = nlohmann::ordered_json;
using Labels = std::vector<std::pair<std::string_view, std::string>>;

std::string label_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string text_of(const Json& run, const char* key) {
  const auto found = run.find(key);
  return found != run.end() && found->is_string() ? found->get<std::string>() : "";
}

/// All samples of one gauge.
class Gauge {
 public:
  Gauge(std::string_view name, std::string_view help) : name_(name) {
    text_ = fmt::format("# HELP paretofl_{} {}\n# TYPE paretofl_{} gauge\n", name, help, name);
  }

  void add(const Labels& labels, const Json& value) {
    std::string all;
    for (const auto& [name, label] : labels) all += fmt::format("{}{}={}", all.empty() ? "" : ",", name, label_text(label));
    text_ += fmt::format("paretofl_{}{{{}}} {}\n", name_, all, value.is_number() ? value.dump() : "NaN");
  }

  const std::string& text() const { return text_; }

 private:
  std::string name_;
  std::string text_;
};

}  // namespace

std::string prometheus_text(const std::vector<Json>& runs) {
  Gauge info("run_info", "1 for each run, with what it is.");
  Gauge measured("measured", "Last figure of an objective.");
  Gauge seconds("seconds", "Wall seconds of all rounds by phase.");
  for (const Json& run : runs) {
    const std::string name = text_of(run, "name");
    info.add({{"run", name},
              {"strategy", text_of(run, "strategy")},
              {"workload", text_of(run, "workload")},
              {"seed", text_of(run, "seed")},
              {"state", text_of(run, "state")}},
             1);
    for (const auto& [phase, value] : run.at("seconds").items()) seconds.add({{"run", name}, {"phase", phase}}, value);
    for (const auto& [split, metrics] : run.at("last").items()) {
      for (const auto& [metric, objectives] : metrics.items()) {
        for (const auto& [objective, value] : objectives.items()) {
          measured.add({{"run", name}, {"split", split}, {"metric", metric}, {"objective", objective}}, value);
        }
      }
    }
  }
  std::string text = info.text();
  for (const auto& [key, gauge, help] : {std::tuple("rounds", "round", "Last recorded round."),
                                         {"rounds_planned", "rounds_planned", "Rounds that the config asks for."},
                                         {"bytes_up", "bytes_up", "Bytes that all clients sent in all rounds."},
                                         {"bytes_down", "bytes_down", "Bytes that the server sent in all rounds."},
                                         {"failures", "failures", "Clients that did not answer, over all rounds."},
                                         {"late", "late", "Replies that came too late, over all rounds."}}) {
    Gauge samples(gauge, help);
    for (const Json& run : runs) {
      if (run.contains(key)) samples.add({{"run", text_of(run, "name")}}, run.at(key));
    }
    text += samples.text();
  }
  return text + seconds.text() + measured.text();
}

}  // namespace paretofl
