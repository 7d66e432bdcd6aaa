#pragma once

#include "paretofl/core/reply.h"

namespace paretofl {

/// The reply itself, or an error reply of that client where the reply can't be encoded.
Reply sendable(Reply reply);

}  // namespace paretofl
