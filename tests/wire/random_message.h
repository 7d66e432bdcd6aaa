#pragma once

#include <string>
#include <utility>
#include <vector>

#include "paretofl/core/random.h"
#include "paretofl/core/reply.h"
#include "paretofl/core/request.h"
#include "paretofl/wire/party_request.h"

namespace paretofl {

/// Draws messages of every shape: empty and absent fields, all element types, nested records, any bytes.
class RandomMessage {
 public:
  explicit RandomMessage(std::uint64_t seed) : random_({.seed = seed}, "messages") {}

  Envelope envelope() {
    Envelope envelope;
    envelope.client = static_cast<int>(random_());
    envelope.request.verb = text();
    envelope.request.seed = std::uint64_t{random_()} << 32 | random_();
    envelope.request.round = random_();
    if (random_.below(2)) envelope.request.parameters = std::make_shared<const std::vector<float>>(numbers<float>());
    envelope.request.objective_weights = numbers<double>();
    envelope.request.extra = record(3);
    return envelope;
  }

  PartyRequest party_request() {
    PartyRequest request{.run = text(), .starts = {}, .exchange = random_(), .previous = random_(), .agreed = text()};
    for (std::uint64_t i = random_.below(4); i > 0; --i) request.starts.push_back(std::uint64_t{random_()} << 32 | random_());
    request.envelope = envelope();
    return request;
  }

  Reply reply() {
    Reply reply;
    reply.client = static_cast<int>(random_());
    reply.num_samples = random_.normal();
    reply.update = numbers<float>();
    reply.losses = numbers<double>();
    reply.extra = record(3);
    if (random_.below(2)) reply.error = text();
    return reply;
  }

  Record record(int depth) {
    Record record;
    for (std::uint64_t i = random_.below(4); i > 0; --i) record.arrays.emplace(text(), array());
    for (std::uint64_t i = random_.below(4); i > 0; --i) record.scalars.emplace(text(), random_.normal());
    for (std::uint64_t i = random_.below(4); i > 0; --i) record.texts.emplace(text(), text());
    for (std::uint64_t i = depth > 0 ? random_.below(3) : 0; i > 0; --i) record.records.emplace(text(), this->record(depth - 1));
    return record;
  }

 private:
  std::string text() {
    std::string text(random_.below(6), ' ');
    for (char& c : text) c = static_cast<char>(random_.below(256));
    return text;
  }

  template <class T>
  std::vector<T> numbers() {
    std::vector<T> numbers(random_.below(2) ? 0 : random_.below(40));
    for (T& number : numbers) number = static_cast<T>(100 * random_.normal());
    return numbers;
  }

  Array array() {
    const auto type = static_cast<Array::Type>(1 + random_.below(4));
    std::vector<std::int64_t> shape(random_.below(4));
    std::size_t count = 1;
    for (std::int64_t& extent : shape) count *= static_cast<std::size_t>(extent = static_cast<std::int64_t>(random_.below(5)));
    std::vector<std::byte> bytes(count * Array::element_size(type));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return Array(type, std::move(shape), std::move(bytes));
  }

  Random random_;
};

}  // namespace paretofl
