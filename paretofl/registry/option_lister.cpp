#include "paretofl/registry/option_lister.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "paretofl/registry/option_range.h"
#include "paretofl/registry/registry.h"

namespace paretofl {

void OptionLister::boolean(std::string_view key, bool& field, std::string_view meaning) {
  docs_.push_back({std::string(key), "boolean", to_text(field), "", std::string(meaning)});
}

void OptionLister::integer(std::string_view key, std::int64_t& field, std::int64_t low, std::int64_t high, std::string_view meaning) {
  docs_.push_back({std::string(key), "integer", to_text(field), range_text(low, high), std::string(meaning)});
}

void OptionLister::real(std::string_view key, double& field, double low, double high, std::string_view meaning) {
  docs_.push_back({std::string(key), "real", to_text(field), range_text(low, high), std::string(meaning)});
}

void OptionLister::text(std::string_view key, std::string& field, std::string_view meaning) {
  docs_.push_back({std::string(key), "text", to_text(field), "", std::string(meaning)});
}

void OptionLister::choice(std::string_view key, std::string& field, const std::vector<std::string>& choices, std::string_view meaning) {
  docs_.push_back({std::string(key), "text", to_text(field), fmt::format("{}", fmt::join(choices, ", ")), std::string(meaning)});
}

void OptionLister::reals(std::string_view key, std::vector<double>& field, double low, double high, std::string_view meaning) {
  docs_.push_back({std::string(key), "list of reals", to_text(field), range_text(low, high), std::string(meaning)});
}

void OptionLister::texts(std::string_view key, std::vector<std::string>& field, std::string_view meaning) {
  docs_.push_back({std::string(key), "list of texts", to_text(field), "", std::string(meaning)});
}

void OptionLister::component(std::string_view key, Component& field, const RegistryBase& registry, std::string_view meaning) {
  docs_.push_back({std::string(key), registry.kind(), to_text(field.name), "", std::string(meaning)});
}

void OptionLister::components_with_texts(std::string_view key, Components& field, const RegistryBase& registry, std::string_view meaning,
                                         const std::vector<PartText>& texts) {
  std::string names;
  for (const auto& [name, part] : field) names += fmt::format("{}{} = {}", names.empty() ? "" : ", ", name, to_text(part.name));
  docs_.push_back(
      {fmt::format("{}.NAME", key), registry.kind(), names, "", fmt::format("{}; those that are set replace all of these", meaning)});
  for (const PartText& text : texts) docs_.push_back({fmt::format("{}.NAME.{}", key, text.key), "text", "", "", text.meaning});
}

void OptionLister::group(std::string_view key, const std::function<void(OptionVisitor&)>& describe) {
  OptionLister lister;
  describe(lister);
  for (OptionDoc doc : lister.docs()) {
    doc.key = fmt::format("{}.{}", key, doc.key);
    docs_.push_back(std::move(doc));
  }
}

}  // namespace paretofl
