#pragma once

#include <string>

namespace paretofl {

/// Throws Error, which begins with `what`, unless `pattern` is a regular expression of at most 1000 characters that Oniguruma
/// (text/regex.h) reads as Python does. Only what both read alike is taken: literal ASCII characters and escaped punctuation; `.`, `^`,
/// `$`, `|`; the escapes \w \W \d \D \s \S \b \B \A \Z \z \a \f \n \r \t \v; classes without one inside another and without && -- ~~ ||;
/// groups ( (?: (?= (?! (?<= (?<! (?> (?i: and (?i) at the beginning; repetitions * + ? {n} {n,} {,n} {n,m}, of which all but {n} may be
/// followed by ?. Module names, which such expressions are matched with, are ASCII without line breaks.
void check_module_pattern(const std::string& pattern, const std::string& what);

}  // namespace paretofl
