#include "paretofl/tokenizers/metaspace.h"

#include "paretofl/core/error.h"
#include "paretofl/core/utf8.h"
#include "paretofl/text/text_file.h"

namespace paretofl {

Metaspace::Metaspace(const JsonObject& json) : mark(json.text("replacement")), split(json.flag("split", true)) {
  expect(!mark.empty() && first_size(mark) == mark.size(), "{}: replacement: expected one character, found '{}'", json.where(),
         shown(mark));
  const std::string scheme = json.text("prepend_scheme", json.flag("add_prefix_space", true) ? "always" : "never");
  expect(scheme == "always" || scheme == "first" || scheme == "never", "{}: prepend_scheme: expected always, first or never, found '{}'",
         json.where(), shown(scheme));
  prepend = scheme == "always" ? PrependScheme::kAlways : scheme == "first" ? PrependScheme::kFirst : PrependScheme::kNever;
}

}  // namespace paretofl
