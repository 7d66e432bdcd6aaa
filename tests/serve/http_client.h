#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace paretofl {

/// A connection to a server of the test, with a deadline on each read after which the test fails.
class RawConnection {
 public:
  explicit RawConnection(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval deadline{.tv_sec = 60, .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &deadline, sizeof deadline);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~RawConnection() { ::close(socket_); }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  void send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (count <= 0) return;  // the server may have had enough
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void end() { ::shutdown(socket_, SHUT_WR); }

  /// Reads on; false at the end.
  bool read_more() {
    std::array<char, 65536> buffer{};
    const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
    EXPECT_FALSE(count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) << "no answer before the deadline";
    if (count <= 0) return false;
    text_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }

  std::string read_all() {
    while (read_more()) {
    }
    return std::exchange(text_, "");
  }

  /// Up to and without `end`; what follows is for the next call.
  std::string read_until(std::string_view end) {
    std::size_t found = 0;
    while ((found = text_.find(end)) == std::string::npos) {
      if (!read_more()) return std::exchange(text_, "");
    }
    std::string part = text_.substr(0, found);
    text_.erase(0, found + end.size());
    return part;
  }

 private:
  int socket_;
  std::string text_;
};

struct RawAnswer {
  int status = 0;  ///< 0 where there was no answer
  std::string head;
  std::string body;
};

inline RawAnswer parse_answer(const std::string& text) {
  RawAnswer answer;
  if (text.starts_with("HTTP/1.1 ")) answer.status = std::stoi(text.substr(9, 3));
  const std::size_t blank = text.find("\r\n\r\n");
  answer.head = text.substr(0, blank);
  if (blank != std::string::npos) answer.body = text.substr(blank + 4);
  return answer;
}

/// What the server answers to these bytes.
inline RawAnswer answer_to(int port, std::string_view request) {
  RawConnection connection(port);
  connection.send(request);
  connection.end();
  return parse_answer(connection.read_all());
}

inline std::string get_request(const std::string& path, const std::string& fields = {}) {
  return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + fields + "\r\n";
}

inline RawAnswer get(int port, const std::string& path, const std::string& fields = {}) {
  return answer_to(port, get_request(path, fields));
}

/// One server-sent event.
struct RawEvent {
  std::string kind;
  std::string id;
  std::string data;
};

/// A viewer of a run's events.
class RawViewer {
 public:
  RawViewer(int port, const std::string& path, const std::string& fields = {}) : connection_(port) {
    connection_.send(get_request(path, fields));
    head_ = connection_.read_until("\r\n\r\n");
  }

  const std::string& head() const { return head_; }

  /// The next event; comments are left out.
  RawEvent next() {
    RawEvent event;
    while (event.data.empty()) {
      const std::string block = connection_.read_until("\n\n");
      if (block.empty()) return {"end of the stream", "", ""};
      for (std::size_t begin = 0; begin < block.size();) {
        const std::size_t end = std::min(block.find('\n', begin), block.size());
        const std::string line = block.substr(begin, end - begin);
        if (line.starts_with("event: ")) event.kind = line.substr(7);
        if (line.starts_with("id: ")) event.id = line.substr(4);
        if (line.starts_with("data: ")) event.data = line.substr(6);
        begin = end + 1;
      }
    }
    return event;
  }

  /// The next event of a kind; others are left out.
  RawEvent next(const std::string& kind) {
    for (;;) {
      RawEvent event = next();
      if (event.kind == kind || event.kind == "end of the stream") return event;
    }
  }

 private:
  RawConnection connection_;
  std::string head_;
};

}  // namespace paretofl
