#include "paretofl/wire/message.h"

#include <xxhash.h>

#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/wire/byte_reader.h"
#include "paretofl/wire/byte_writer.h"
#include "paretofl/wire/record_codec.h"

namespace paretofl {
namespace {

constexpr std::uint32_t kMagic = 0x4d4c4650;  // "PFLM"
constexpr std::size_t kHeaderSize = 24;

enum class Kind : std::uint16_t { kRequest = 1, kReply = 2, kState = 3, kPartyRequest = 4 };

std::string kind_name(std::uint16_t kind) {
  switch (static_cast<Kind>(kind)) {
    case Kind::kRequest:
      return "a request";
    case Kind::kReply:
      return "a reply";
    case Kind::kState:
      return "a saved state";
    case Kind::kPartyRequest:
      return "a request to a party";
  }
  return fmt::format("the unknown kind {}", kind);
}

std::uint64_t checksum(std::span<const std::byte> payload) { return XXH3_64bits(payload.data(), payload.size()); }

void write_payload(ByteWriter& out, const Envelope& envelope) {
  const Request& request = envelope.request;
  out.u32(static_cast<std::uint32_t>(envelope.client));
  out.text(request.verb);
  out.u64(request.seed);
  out.u32(request.round);
  out.u8(request.parameters != nullptr);
  if (request.parameters) out.floats(*request.parameters);
  out.doubles(request.objective_weights);
  write_record(out, request.extra);
}

Envelope read_envelope(ByteReader& in) {
  Envelope envelope;
  envelope.client = static_cast<int>(in.u32("client"));
  Request& request = envelope.request;
  request.verb = in.text("verb");
  request.seed = in.u64("seed");
  request.round = in.u32("round");
  if (in.flag("parameters")) request.parameters = std::make_shared<const std::vector<float>>(in.floats("parameters"));
  request.objective_weights = in.doubles("objective weights");
  request.extra = read_record(in);
  return envelope;
}

void write_payload(ByteWriter& out, const Reply& reply) {
  out.u32(static_cast<std::uint32_t>(reply.client));
  out.f64(reply.num_samples);
  out.floats(reply.update);
  out.doubles(reply.losses);
  write_record(out, reply.extra);
  out.u8(reply.error.has_value());
  if (reply.error) out.text(*reply.error);
}

Reply read_reply(ByteReader& in) {
  Reply reply;
  reply.client = static_cast<int>(in.u32("client"));
  reply.num_samples = in.f64("number of samples");
  reply.update = in.floats("update");
  reply.losses = in.doubles("losses");
  reply.extra = read_record(in);
  if (in.flag("error")) reply.error = in.text("error");
  return reply;
}

void write_payload(ByteWriter& out, const Record& state) { write_record(out, state); }

void write_payload(ByteWriter& out, const PartyRequest& request) {
  out.text(request.run);
  out.u64(request.starts.size());
  for (const std::uint64_t start : request.starts) out.u64(start);
  out.u64(request.exchange);
  out.u64(request.previous);
  out.text(request.agreed);
  write_payload(out, request.envelope);
}

PartyRequest read_party_request(ByteReader& in) {
  PartyRequest request;
  request.run = in.text("run");
  const std::uint64_t starts = in.u64("number of starts");
  for (std::uint64_t i = 0; i < starts; ++i) request.starts.push_back(in.u64("start"));
  request.exchange = in.u64("exchange");
  request.previous = in.u64("previous exchange");
  request.agreed = in.text("digest of what is agreed on");
  request.envelope = read_envelope(in);
  return request;
}

template <class Message>
std::size_t payload_size(const Message& message) {
  ByteWriter counter;
  write_payload(counter, message);
  return counter.size();
}

template <class Message>
std::vector<std::byte> seal(Kind kind, const Message& message) {
  const std::size_t size = payload_size(message);
  std::vector<std::byte> bytes;
  bytes.reserve(kHeaderSize + size);
  ByteWriter out(bytes);
  out.u32(kMagic);
  out.u16(kWireVersion);
  out.u16(static_cast<std::uint16_t>(kind));
  out.u64(size);
  out.u64(0);
  write_payload(out, message);
  const std::uint64_t sum = checksum(std::span(bytes).subspan(kHeaderSize));
  const auto sum_bytes = std::as_bytes(std::span(&sum, 1));
  std::copy(sum_bytes.begin(), sum_bytes.end(), bytes.begin() + kHeaderSize - sizeof sum);
  return bytes;
}

struct Header {
  std::uint16_t kind;
  std::uint64_t length;
};

/// The header but for the checksum at its end.
Header read_header(ByteReader& in) {
  expect(in.u32("magic") == kMagic, "message: expected the magic 'PFLM', found something else");
  const std::uint16_t version = in.u16("format version");
  expect(version >= 1 && version <= kWireVersion, "message: expected a format version of 1 to {}, found {}", kWireVersion, version);
  const std::uint16_t kind = in.u16("kind");
  return {kind, in.u64("payload length")};
}

template <class Read>
auto open(Kind kind, std::span<const std::byte> bytes, Read read) {
  ByteReader header(bytes);
  const auto [found, length] = read_header(header);
  expect(found == static_cast<std::uint16_t>(kind), "message: expected {}, found {}", kind_name(static_cast<std::uint16_t>(kind)),
         kind_name(found));
  const std::uint64_t sum = header.u64("checksum");
  expect(length == header.left(), "message: expected {} bytes of payload, found {}", length, header.left());
  const auto payload = bytes.subspan(kHeaderSize);
  expect(checksum(payload) == sum, "message: expected the checksum {:016x}, found {:016x}", sum, checksum(payload));
  ByteReader in(payload);
  auto message = read(in);
  expect(in.left() == 0, "message: expected the payload to end, found {} more bytes", in.left());
  return message;
}

}  // namespace

std::vector<std::byte> encode(const Envelope& envelope) { return seal(Kind::kRequest, envelope); }
std::vector<std::byte> encode(const Reply& reply) { return seal(Kind::kReply, reply); }
std::vector<std::byte> encode(const Record& state) { return seal(Kind::kState, state); }
std::vector<std::byte> encode(const PartyRequest& request) { return seal(Kind::kPartyRequest, request); }

std::size_t encoded_size(const Envelope& envelope) { return kHeaderSize + payload_size(envelope); }
std::size_t encoded_size(const Reply& reply) { return kHeaderSize + payload_size(reply); }
std::size_t encoded_size(const Record& state) { return kHeaderSize + payload_size(state); }
std::size_t encoded_size(const PartyRequest& request) { return kHeaderSize + payload_size(request); }

Envelope decode_envelope(std::span<const std::byte> bytes) { return open(Kind::kRequest, bytes, read_envelope); }
Reply decode_reply(std::span<const std::byte> bytes) { return open(Kind::kReply, bytes, read_reply); }
Record decode_state(std::span<const std::byte> bytes) { return open(Kind::kState, bytes, read_record); }
PartyRequest decode_party_request(std::span<const std::byte> bytes) { return open(Kind::kPartyRequest, bytes, read_party_request); }

std::optional<std::size_t> message_size(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderSize) return {};
  ByteReader header(bytes);
  return kHeaderSize + read_header(header).length;
}

}  // namespace paretofl
