#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/registry/options.h"

namespace paretofl {

/// One documented option, as `list` prints it.
struct OptionDoc {
  std::string key;
  std::string type;  ///< "integer", "real", "boolean", "text", "list of reals", "list of texts", or a registry's kind
  std::string default_value;
  std::string range;
  std::string meaning;
};

/// Collects the documentation of an Options struct.
class OptionLister : public OptionVisitor {
 public:
  void boolean(std::string_view key, bool& field, std::string_view meaning) override;
  void integer(std::string_view key, std::int64_t& field, std::int64_t low, std::int64_t high, std::string_view meaning) override;
  void real(std::string_view key, double& field, double low, double high, std::string_view meaning) override;
  void text(std::string_view key, std::string& field, std::string_view meaning) override;
  void choice(std::string_view key, std::string& field, const std::vector<std::string>& choices, std::string_view meaning) override;
  void reals(std::string_view key, std::vector<double>& field, double low, double high, std::string_view meaning) override;
  void texts(std::string_view key, std::vector<std::string>& field, std::string_view meaning) override;
  void component(std::string_view key, Component& field, const RegistryBase& registry, std::string_view meaning) override;
  void components_with_texts(std::string_view key, Components& field, const RegistryBase& registry, std::string_view meaning,
                             const std::vector<PartText>& texts) override;
  void group(std::string_view key, const std::function<void(OptionVisitor&)>& describe) override;

  const std::vector<OptionDoc>& docs() const { return docs_; }

 private:
  std::vector<OptionDoc> docs_;
};

}  // namespace paretofl
