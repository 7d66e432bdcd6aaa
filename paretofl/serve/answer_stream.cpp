#include "paretofl/serve/answer_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace paretofl {

ssize_t AnswerStream::read(char* to, std::size_t size) {
  const std::size_t count = std::min(size, head_.size() - read_);
  std::copy_n(head_.begin() + static_cast<std::ptrdiff_t>(read_), count, to);
  read_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t AnswerStream::write(const char* from, std::size_t size) {
  while (!failed_) {
    const ssize_t count = ::send(socket_, from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0) return count;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) break;
    pollfd ready{.fd = socket_, .events = POLLOUT, .revents = 0};
    const int found = ::poll(&ready, 1, patience_);
    if (found == 0 || (found < 0 && errno != EINTR)) break;
  }
  failed_ = true;
  return -1;
}

}  // namespace paretofl
