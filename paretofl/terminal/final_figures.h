#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// What a finished run reached, in a few lines for people: a table of the test figures, one row per objective and one column per
/// metric, with the direction that is better; the figures of the whole, such as the loss scalarized by the clients' own preferences; the
/// run's own front; the bytes that were sent; and the seconds that it took. Of many objectives only the first rows are shown. At most
/// `width` characters wide, unless a name needs more.
std::string final_figures(const RunData& run, std::size_t width);

/// The table of final_figures and the figures of the whole alone: test figures [M] by metric, of these objectives [M].
std::string test_figures(const std::vector<std::string>& objectives, const std::map<std::string, ObjectiveValues>& test,
                         const std::map<std::string, double>& overall, std::size_t width);

/// A table of the figures at the preferences of a run's own front (RecordedRound::front): one row for each point, or for some of many, and
/// of few objectives alone. Empty where there is no front.
std::string front_figures(const std::vector<std::string>& objectives, const std::map<std::string, std::vector<ObjectiveValues>>& front,
                          std::size_t width);

/// The command that is worth trying after a run in this folder: a completion by its model where it trained one, else its curves.
std::string next_command(const RunData& run);

}  // namespace paretofl
