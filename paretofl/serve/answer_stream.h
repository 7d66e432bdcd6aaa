#pragma once

#include <httplib.h>

#include <string>

namespace paretofl {

/// A connection as httplib sees it: the head of the request is read already, and the answer is written to a socket, in whose way no client
/// may stand for longer than `patience` milliseconds.
class AnswerStream : public httplib::Stream {
 public:
  AnswerStream(std::string head, int socket, int patience) : head_(std::move(head)), socket_(socket), patience_(patience) {}

  bool is_readable() const override { return read_ < head_.size(); }
  bool is_writable() const override { return !failed_; }
  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  int socket() const override { return socket_; }

 private:
  const std::string head_;
  std::size_t read_ = 0;
  const int socket_;
  const int patience_;
  bool failed_ = false;
};

}  // namespace paretofl
