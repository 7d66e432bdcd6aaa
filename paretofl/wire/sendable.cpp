#include "paretofl/wire/sendable.h"

#include "paretofl/core/error.h"
#include "paretofl/wire/message.h"

namespace paretofl {

Reply sendable(Reply reply) {
  try {
    encoded_size(reply);
    return reply;
  } catch (const Error& error) {
    Reply failed;
    failed.client = reply.client;
    failed.error = error.what();
    return failed;
  }
}

}  // namespace paretofl
