#include "paretofl/mathematics/number_groups.h"

#include <algorithm>

#include "paretofl/core/ascii.h"

namespace paretofl {
namespace {

std::size_t blanks_of(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_blank) - text.begin());
}

struct Separator {
  enum class Kind { kNone, kSpace, kPlainComma, kMarkedComma };
  Kind kind = Kind::kNone;
  std::size_t size = 0;
};

using SeparatorKind = Separator::Kind;

// What stands between two groups of digits: spaces, and at most one comma.
Separator separator(std::string_view text) {
  std::size_t at = 0;
  bool blank = false;
  bool marked = false;  // by \! or braces
  bool comma = false;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (const std::size_t blanks = blanks_of(rest); blanks > 0) {
      blank = true;
      at += blanks;
    } else if (rest.starts_with("\\!")) {
      marked = true;
      at += 2;
    } else if (rest.starts_with("\\,") || rest.starts_with("\\ ") || rest.starts_with("\\;") || rest.starts_with("\\:")) {
      blank = true;
      at += 2;
    } else if (rest.starts_with("\u00a0") || rest.starts_with("\u2009") || rest.starts_with("\u202f")) {
      blank = true;
      at += rest.starts_with("\u00a0") ? 2 : 3;
    } else if (const std::size_t braced = braced_comma(rest); !comma && braced > 0) {
      comma = marked = true;
      at += braced;
    } else if (!comma && rest.starts_with(',')) {
      comma = true;
      at += 1;
    } else {
      break;
    }
  }
  if (comma && marked) return {SeparatorKind::kMarkedComma, at};
  if (comma) return blank ? Separator{} : Separator{SeparatorKind::kPlainComma, at};
  return blank ? Separator{SeparatorKind::kSpace, at} : Separator{};
}

// Change of the depth of brackets at a character. Behind a backslash braces are brackets, and brackets enclose formulas.
int depth_step(std::string_view text, std::size_t at) {
  const bool escaped = at > 0 && text[at - 1] == '\\';
  const std::string_view brackets = escaped ? "{}" : "([)]";
  const std::size_t bracket = brackets.find(text[at]);
  return bracket == std::string_view::npos ? 0 : bracket < brackets.size() / 2 ? 1 : -1;
}

std::size_t opening_bracket(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i > 0; --i) {
    depth += depth_step(text, i - 1);
    if (depth > 0) return i - 1;
  }
  return std::string_view::npos;
}

// Whether a comma with a space behind it stands within the brackets that open at a place.
bool has_spaced_comma(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += depth_step(text, i);
    if (depth == 0) return false;
    if (depth == 1 && (text[i] == ';' || (text[i] == ',' && i + 1 < text.size() && is_blank(text[i + 1])))) return true;
  }
  return false;
}

}  // namespace

std::size_t braced_comma(std::string_view text) {
  if (!text.starts_with('{')) return 0;
  std::size_t at = 1 + blanks_of(text.substr(1));
  if (!text.substr(at).starts_with(',')) return 0;
  ++at;
  at += blanks_of(text.substr(at));
  return text.substr(at).starts_with('}') ? at + 1 : 0;
}

std::size_t grouped_number_size(std::string_view text, std::size_t begin) {
  std::size_t end = begin + digits_of(text.substr(begin));
  if (end == begin || end > begin + 3 || text[begin] == '0') return 0;
  std::size_t groups = 0;
  bool plain = false;
  bool zero = false;  // whether a group begins with it
  while (true) {
    const Separator between = separator(text.substr(end));
    const std::size_t digits = between.kind == SeparatorKind::kNone ? 0 : digits_of(text.substr(end + between.size));
    if (digits != 3) {
      if (plain && between.kind == SeparatorKind::kPlainComma && digits > 0) return 0;
      break;
    }
    plain = plain || between.kind == SeparatorKind::kPlainComma;
    zero = zero || text[end + between.size] == '0';
    end += between.size + digits;
    ++groups;
  }
  if (groups == 0) return 0;
  const std::size_t open = plain && !zero ? opening_bracket(text, begin) : std::string_view::npos;
  return open == std::string_view::npos || has_spaced_comma(text, open) ? end - begin : 0;
}

}  // namespace paretofl
