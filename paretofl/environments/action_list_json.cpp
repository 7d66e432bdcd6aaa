#include "paretofl/environments/action_list_json.h"

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"

namespace paretofl {
namespace {

using nlohmann::json;

double number(const json& value, const std::string& where) {
  expect(value.is_number(), "{}: expected a number, found {}", where, value.type_name());
  return value.get<double>();
}

}  // namespace

std::vector<double> parse_actions(const std::string& text, const std::string& name, const ActionSpace& space) {
  const json list = parse_json(text, name);
  expect(list.is_array(), "{}: expected a list of actions, found {}", name, list.type_name());
  std::vector<double> actions;
  std::vector<double> action;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = fmt::format("{}: action {}", name, i);
    action.clear();
    if (space.discrete()) {
      action.push_back(number(list[i], where));
    } else {
      expect(list[i].is_array(), "{}: expected a list of {} numbers, found {}", where, space.size(), list[i].type_name());
      for (const json& value : list[i]) action.push_back(number(value, where));
    }
    space.check(action, where);
    actions.insert(actions.end(), action.begin(), action.end());
  }
  return actions;
}

}  // namespace paretofl
