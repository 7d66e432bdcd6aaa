#pragma once

#include <string_view>

namespace paretofl {

/// Whether `between`, what stands between two numbers, makes one quantity of them, in two units or as a time, an angle or a ratio: 3 hours
/// and 20 minutes, 1h 42m, 5'6, 3:45, 2 : 3. `before` and `behind` stand around the two. "Day 2:18 pages" is none.
bool is_compound(std::string_view before, std::string_view between, std::string_view behind);

/// Whether there is nothing between two numbers but a sign or words of arithmetic, perhaps behind a unit, so that the second is a part of
/// a term: 5 + 8, 5 dollars plus 8, 50 x 8, 50 % 8, 8 added to 42, 42 out of 100.
bool is_operation(std::string_view between, std::string_view behind);

/// Whether words behind a number go on with it, so that it is a part of another number: 42 and a half, 42 plus one, 3 hours and twenty
/// minutes, 42m30s, 42 thirds.
bool goes_on_in_words(std::string_view behind);

/// Whether words before a number begin it: forty 2, two hundred and 42; where the number is a fraction also two and 1/2.
bool begins_in_words(std::string_view before, bool fraction);

/// Whether a number that has a place of its own is one of two there, the other one in words: 42 and two, two, 42.
bool is_beside_number_word(std::string_view before, std::string_view behind);

}  // namespace paretofl
