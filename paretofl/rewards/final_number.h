#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "paretofl/rewards/exact_number.h"

namespace paretofl {

/// What kind of place an answer stands in.
enum class AnswerPlace : std::uint8_t {
  kMarked,  ///< a box or a marked line: the number, its unit and no other number
  kTagged,  ///< the answer's tags: may say in a sentence how the number comes about
  kOpen     ///< a text of which nothing says where its answer is
};

/// The one number that an answer gives (NumberText says how numbers are read), none if it gives none or leaves open which.
///
/// A marked place, and any place without words, has to have one number, which may be said more than once; of an equation,
/// the last side counts, and a side that is a number alone has to be the same. Words that leave the answer open (or, not),
/// comparisons (<, \leq), variables (2x) and LaTeX that is not known to be harmless make it none.
/// In sentences the last number counts, unless "or" stands between it and the one before, or nothing but "and", "to" or a dash: a
/// choice or a range is no number, but for the end of "from 10 to 5". Of "42, not 41" and "42 rather than 41" the first counts. Nowhere
/// does a number count that its context changes or bounds (number_context.h) or that is a part of a quantity or term (number_terms.h), nor
/// within a box, a marked line or tags without words one with the sign of a factorial. Within tags nothing but words may join the two: "41,
/// 42" and "41 42" are none either.
std::optional<ExactNumber> final_number(std::string_view text, AnswerPlace place);

}  // namespace paretofl
