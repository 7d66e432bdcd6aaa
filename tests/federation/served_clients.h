#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <future>
#include <map>
#include <thread>

#include "paretofl/federation/party_socket.h"
#include "paretofl/federation/resident_client.h"
#include "paretofl/wire/message.h"

namespace paretofl {

/// Resident clients of any number behind one socket, in a thread of this process.
class ServedClients {
 public:
  explicit ServedClients(ClientFactory factory, double dropout_rate = 0) : factory_(std::move(factory)), dropout_rate_(dropout_rate) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::promise<void> ready;
    thread_ = std::thread([this, &ready] {
      serve_party_socket(
          socket(), [this](std::span<const std::byte> bytes) { return answer(bytes); }, [&] { ready.set_value(); });
    });
    ready.get_future().wait();
  }
  ~ServedClients() {
    ::kill(::getpid(), SIGTERM);
    thread_.join();
    std::filesystem::remove_all(folder_);
  }
  ServedClients(const ServedClients&) = delete;
  ServedClients& operator=(const ServedClients&) = delete;

  std::string socket() const { return (folder_ / "socket").string(); }

  /// From the bytes of a request to those of its reply, without the socket.
  std::vector<std::byte> answer(std::span<const std::byte> bytes) {
    const int client = decode_party_request(bytes).envelope.client;
    auto found = clients_.find(client);
    if (found == clients_.end()) {
      found = clients_
                  .emplace(client, ResidentClient({.client = client,
                                                   .factory = factory_,
                                                   .dropout_rate = dropout_rate_,
                                                   .agreed = {},
                                                   .folder = folder_ / std::to_string(client)}))
                  .first;
    }
    return found->second.answer(bytes);
  }

 private:
  ClientFactory factory_;
  double dropout_rate_;
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("served-{}", ::getpid());
  std::map<int, ResidentClient> clients_;
  std::thread thread_;
};

}  // namespace paretofl
