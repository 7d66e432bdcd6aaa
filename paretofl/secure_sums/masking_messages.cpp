#include "paretofl/secure_sums/masking_messages.h"

#include <algorithm>
#include <limits>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr const char* kClients = "clients";

void put_clients(Record& record, const char* name, const std::vector<std::int64_t>& clients) {
  record.arrays.emplace(name, Array(std::span<const std::int64_t>(clients)));
}

/// Ids by ascending order, each once.
std::vector<int> take_clients(const Record& record, const char* name) {
  std::vector<int> clients;
  for (const std::int64_t id : record.array(name).ints()) {
    expect(id >= 0 && id <= std::numeric_limits<int>::max() && (clients.empty() || id > clients.back()),
           "secure sum: expected ascending client ids for {}, found {}", name, id);
    clients.push_back(static_cast<int>(id));
  }
  return clients;
}

void put_bytes(Record& record, const char* name, const std::vector<std::uint8_t>& bytes) {
  record.arrays.emplace(name, Array(std::span<const std::uint8_t>(bytes)));
}

std::span<const std::uint8_t> take_bytes(const Record& record, const char* name, std::size_t count) {
  const auto bytes = record.array(name).uints();
  expect(bytes.size() == count, "secure sum: expected {} bytes for {}, found {}", count, name, bytes.size());
  return bytes;
}

template <class Values>
std::vector<std::int64_t> ids_of(const std::map<int, Values>& by_client) {
  std::vector<std::int64_t> ids;
  for (const auto& [client, value] : by_client) ids.push_back(client);
  return ids;
}

/// `size` bytes of each client, one after the other.
std::map<int, std::span<const std::uint8_t>> take_by_client(const Record& record, const char* name, std::size_t size) {
  const std::vector<int> clients = take_clients(record, kClients);
  const auto bytes = take_bytes(record, name, clients.size() * size);
  std::map<int, std::span<const std::uint8_t>> parts;
  for (std::size_t i = 0; i < clients.size(); ++i) parts.emplace(clients[i], bytes.subspan(i * size, size));
  return parts;
}

PublicKey key_of(std::span<const std::uint8_t> bytes) {
  PublicKey key{};
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

constexpr std::size_t kKeysBytes = 2 * sizeof(PublicKey);

void append(std::vector<std::uint8_t>& bytes, std::span<const std::uint8_t> more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

void append(std::vector<std::uint8_t>& bytes, const MaskingKeys& keys) {
  append(bytes, keys.sealing);
  append(bytes, keys.masking);
}

MaskingKeys keys_of(std::span<const std::uint8_t> bytes) {
  return {key_of(bytes.first(sizeof(PublicKey))), key_of(bytes.last(sizeof(PublicKey)))};
}

}  // namespace

Record MaskingKeys::save() const {
  std::vector<std::uint8_t> bytes;
  append(bytes, *this);
  Record record;
  put_bytes(record, "keys", bytes);
  return record;
}

MaskingKeys MaskingKeys::load(const Record& record) { return keys_of(take_bytes(record, "keys", kKeysBytes)); }

Record MaskingSetup::save() const {
  Record record;
  record.scalars.emplace("threshold", static_cast<double>(threshold));
  put_clients(record, kClients, ids_of(neighbours));
  std::vector<std::uint8_t> bytes;
  for (const auto& [client, keys] : neighbours) append(bytes, keys);
  put_bytes(record, "keys", bytes);
  return record;
}

MaskingSetup MaskingSetup::load(const Record& record) {
  MaskingSetup setup;
  const double threshold = record.scalar("threshold");
  expect(threshold >= 1 && threshold <= 255 && threshold == static_cast<double>(static_cast<int>(threshold)),
         "secure sum: expected a whole threshold from 1 to 255, found {}", threshold);
  setup.threshold = static_cast<std::size_t>(threshold);
  for (const auto& [client, bytes] : take_by_client(record, "keys", kKeysBytes)) setup.neighbours.emplace(client, keys_of(bytes));
  return setup;
}

Record SealedShares::save() const {
  Record record;
  put_clients(record, kClients, ids_of(by_client));
  std::vector<std::uint8_t> bytes;
  for (const auto& [client, share] : by_client) append(bytes, share);
  put_bytes(record, "shares", bytes);
  if (!commitment.empty()) put_bytes(record, "commitment", commitment);
  return record;
}

SealedShares SealedShares::load(const Record& record) {
  SealedShares shares;
  for (const auto& [client, bytes] : take_by_client(record, "shares", kSealedShareBytes)) {
    shares.by_client.emplace(client, std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  }
  if (record.arrays.contains("commitment")) {
    const auto bytes = take_bytes(record, "commitment", Secret::kSize);
    shares.commitment.assign(bytes.begin(), bytes.end());
  }
  return shares;
}

Record Survivors::save() const {
  Record record;
  put_clients(record, "answered", {answered.begin(), answered.end()});
  put_clients(record, "gone", {gone.begin(), gone.end()});
  return record;
}

Survivors Survivors::load(const Record& record) { return {take_clients(record, "answered"), take_clients(record, "gone")}; }

Record RevealedShares::save() const {
  Record record;
  put_clients(record, kClients, ids_of(by_client));
  std::vector<std::uint8_t> bytes;
  for (const auto& [client, share] : by_client) append(bytes, share.bytes());
  put_bytes(record, "shares", bytes);
  return record;
}

RevealedShares RevealedShares::load(const Record& record) {
  RevealedShares shares;
  for (const auto& [client, bytes] : take_by_client(record, "shares", Secret::kSize)) shares.by_client.emplace(client, Secret(bytes));
  return shares;
}

}  // namespace paretofl
