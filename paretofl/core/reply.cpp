#include "paretofl/core/reply.h"

namespace paretofl {

Reply Reply::late(int client, Lateness lateness) {
  Reply reply;
  reply.client = client;
  reply.error = lateness == Lateness::kEnough ? "late: enough others had answered" : "late: no reply before the deadline";
  reply.lateness = lateness;
  return reply;
}

}  // namespace paretofl
