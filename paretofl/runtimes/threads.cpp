#include "paretofl/runtimes/threads.h"

#include <numeric>

#include "paretofl/runtimes/replies_in_order.h"
#include "paretofl/runtimes/starting_order.h"
#include "paretofl/wire/message.h"
#include "paretofl/wire/sendable.h"

namespace paretofl {

ThreadsRuntime::ThreadsRuntime(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory)
    : through_wire_(options.through_wire), pool_(pool), host_(std::move(factory), options.dropout_rate) {}

Exchange ThreadsRuntime::exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) {
  Exchange exchange;
  exchange.replies.resize(envelopes.size());
  std::vector<std::uint64_t> bytes_up(envelopes.size());
  std::vector<std::uint64_t> bytes_down;
  for (const Envelope& envelope : envelopes) bytes_down.push_back(encoded_size(envelope));
  const std::vector<std::size_t> order = starting_order(envelopes, limits);
  RepliesInOrder replies(exchange.replies, on_reply, envelopes, pool_.threads(), limits);
  pool_.for_each(envelopes.size(), [&](std::size_t position) {
    const std::size_t i = order[position];
    if (!replies.wait_for_turn(i)) {
      bytes_down[i] = 0;  // nothing was sent
      return;
    }
    try {
      Reply reply = sendable(through_wire_ ? host_.handle(decode_envelope(encode(envelopes[i]))) : host_.handle(envelopes[i]));
      const std::uint64_t bytes = reply.error ? 0 : encoded_size(reply);
      if (replies.arrived(i, through_wire_ ? decode_reply(encode(reply)) : std::move(reply))) bytes_up[i] = bytes;
    } catch (...) {
      replies.stop_waiting();
      throw;
    }
  });
  replies.finish();
  exchange.bytes_down = std::accumulate(bytes_down.begin(), bytes_down.end(), std::uint64_t{0});
  exchange.bytes_up = std::accumulate(bytes_up.begin(), bytes_up.end(), std::uint64_t{0});
  return exchange;
}

std::unique_ptr<Runtime> make_threads_runtime(const RuntimeOptions& options, ThreadPool& pool, ClientFactory factory) {
  return std::make_unique<ThreadsRuntime>(options, pool, std::move(factory));
}

}  // namespace paretofl
