#include "paretofl/runtimes/listens_everywhere.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace paretofl {
namespace {

/// A socket of the test's own on a port that the system chooses.
class Socket {
 public:
  explicit Socket(in_addr_t host) : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(host);
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  explicit Socket(const in6_addr& host) : descriptor_(::socket(AF_INET6, SOCK_STREAM, 0)) {
    sockaddr_in6 address{};
    address.sin6_family = AF_INET6;
    address.sin6_addr = host;
    bound_ = ::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Socket() { ::close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool bound() const { return bound_; }
  void listen() const { EXPECT_EQ(::listen(descriptor_, 1), 0); }

 private:
  int descriptor_;
  bool bound_ = true;
};

TEST(ListensEverywhere, IsTrueOfASocketThatWaitsOnEveryInterface) {
  ASSERT_FALSE(listens_everywhere());
  const Socket socket(INADDR_ANY);
  EXPECT_FALSE(listens_everywhere()) << "nobody can connect yet";
  socket.listen();
  EXPECT_TRUE(listens_everywhere());
}

TEST(ListensEverywhere, IsFalseOfOneThatWaitsOnThisMachineAlone) {
  const Socket socket(INADDR_LOOPBACK);
  socket.listen();
  EXPECT_FALSE(listens_everywhere());
}

TEST(ListensEverywhere, KnowsTheNewerProtocol) {
  const Socket near(in6addr_loopback);
  if (!near.bound()) GTEST_SKIP() << "this machine has no IPv6";
  near.listen();
  EXPECT_FALSE(listens_everywhere());
  const Socket socket(in6addr_any);
  ASSERT_TRUE(socket.bound());
  socket.listen();
  EXPECT_TRUE(listens_everywhere());
}

}  // namespace
}  // namespace paretofl
