#pragma once

#include "paretofl/core/reply.h"

namespace paretofl {

/// What hostile clients make of an honest reply. Sample counts stay as they are.

/// Multiplies the update, and of the arrays of real numbers that a record of the message holds the largest one (the first by name among
/// equals). A compressed jacobian is linear in that array, whatever the compressor.
void scale_numbers(Reply& reply, double factor);

/// Makes every real number of the update, the losses and the message's records a NaN.
void spoil_numbers(Reply& reply);

/// Makes the update, the losses and all arrays twice as long by repeating them, and an update one number longer beyond that.
void repeat_numbers(Reply& reply);

/// Leaves out all that the message holds beside the update and the losses.
void leave_out_fields(Reply& reply);

}  // namespace paretofl
