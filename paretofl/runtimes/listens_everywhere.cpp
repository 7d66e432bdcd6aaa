#include "paretofl/runtimes/listens_everywhere.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace paretofl {
namespace {

bool listens_everywhere(int descriptor) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) return false;
  sockaddr_storage address{};
  size = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return false;
  if (address.ss_family == AF_INET) return reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr == INADDR_ANY;
  const in6_addr& any = in6addr_any;
  return address.ss_family == AF_INET6 && std::memcmp(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, &any, sizeof any) == 0;
}

}  // namespace

bool listens_everywhere() {
  std::error_code failure;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", failure), end; !failure && entry != end; entry.increment(failure)) {
    if (listens_everywhere(std::atoi(entry->path().filename().c_str()))) return true;
  }
  return false;
}

}  // namespace paretofl
