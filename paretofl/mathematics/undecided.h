#pragma once

namespace paretofl {

/// Thrown within this room where a text can't be read or a question can't be settled, exactly and within the limits of
/// work. Callers of the room never see it: what is undecided counts as unequal.
struct Undecided {};

}  // namespace paretofl
