#include "paretofl/wire/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "paretofl/core/error.h"
#include "paretofl/wire/byte_writer.h"
#include "paretofl/wire/record_codec.h"
#include "tests/wire/random_message.h"
#include "tests/wire/sealed.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

std::string message_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// A reply with something in every field.
Reply full_reply() {
  Reply reply;
  reply.client = 3;
  reply.num_samples = 2.5;
  reply.update = {1, -2};
  reply.losses = {0.5};
  reply.extra.arrays.emplace("a", Array(std::vector<std::int64_t>{7, 8}, {2, 1}));
  reply.extra.scalars.emplace("s", 4.0);
  reply.extra.texts.emplace("t", "text");
  reply.extra.records["r"].scalars.emplace("inner", 1.0);
  reply.error = "why";
  return reply;
}

std::vector<std::byte> written(std::uint16_t kind, const std::function<void(ByteWriter&)>& write, std::uint16_t version = kWireVersion) {
  std::vector<std::byte> payload;
  ByteWriter out(payload);
  write(out);
  return sealed(kind, payload, version);
}

constexpr std::uint16_t kState = 3;

/// The error of decoding a state whose arrays hold one entry "x" that `write` writes.
std::string array_error(const std::function<void(ByteWriter&)>& write) {
  return message_error([&] {
    decode_state(written(kState, [&](ByteWriter& out) {
      out.u64(1);
      out.text("x");
      write(out);
    }));
  });
}

TEST(Message, ComesBackEqual) {
  RandomMessage random(1);
  for (int i = 0; i < 2000; ++i) {
    const Envelope envelope = random.envelope();
    const Reply reply = random.reply();
    const Record state = random.record(3);
    ASSERT_EQ(decode_envelope(encode(envelope)), envelope);
    ASSERT_EQ(decode_reply(encode(reply)), reply);
    ASSERT_EQ(decode_state(encode(state)), state);
    const PartyRequest request = random.party_request();
    ASSERT_EQ(decode_party_request(encode(request)), request);
  }
}

TEST(Message, SizeIsKnownWithoutEncoding) {
  RandomMessage random(2);
  for (int i = 0; i < 2000; ++i) {
    const Envelope envelope = random.envelope();
    const Reply reply = random.reply();
    const Record state = random.record(3);
    ASSERT_EQ(encoded_size(envelope), encode(envelope).size());
    ASSERT_EQ(encoded_size(reply), encode(reply).size());
    ASSERT_EQ(encoded_size(state), encode(state).size());
    const PartyRequest request = random.party_request();
    ASSERT_EQ(encoded_size(request), encode(request).size());
  }
}

TEST(Message, TheHeaderTellsWhereAMessageEnds) {
  std::vector<std::byte> two = encode(full_reply());
  const std::size_t size = two.size();
  EXPECT_EQ(message_size(two), size);
  const std::vector<std::byte> second = encode(Record{});
  two.insert(two.end(), second.begin(), second.end());
  EXPECT_EQ(message_size(two), size);
  EXPECT_EQ(message_size(std::span(two).subspan(size)), second.size());
  EXPECT_EQ(message_size(std::span(two).first(23)), std::nullopt);
  EXPECT_EQ(message_size({}), std::nullopt);
  EXPECT_THROW(message_size(std::span(two).subspan(1)), Error);
}

TEST(Message, NumbersKeepEveryBit) {
  Reply reply;
  const float nan = std::bit_cast<float>(0x7fc01234U);
  reply.update = {-0.0F, nan, std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::infinity()};
  reply.losses = {-0.0, std::nan("77")};
  reply.num_samples = std::nan("5");
  const Reply decoded = decode_reply(encode(reply));
  ASSERT_EQ(decoded.update.size(), 4U);
  EXPECT_EQ(std::memcmp(decoded.update.data(), reply.update.data(), 16), 0);
  EXPECT_EQ(std::memcmp(decoded.losses.data(), reply.losses.data(), 16), 0);
  EXPECT_EQ(std::memcmp(&decoded.num_samples, &reply.num_samples, 8), 0);
}

// The format itself: changing it needs a new version number.
TEST(Message, BytesAreFrozen) {
  std::string hex;
  for (const std::byte byte : encode(full_reply())) hex += fmt::format("{:02x}", static_cast<int>(byte));
  EXPECT_EQ(hex,
            // magic, version, kind, length, checksum; client, number of samples
            "50464c4d"
            "0100"
            "0200"
            "ea00000000000000"
            "3b043d56441469ef"
            "03000000"
            "0000000000000440"
            // update, losses
            "02000000000000000000803f000000c0"
            "0100000000000000000000000000e03f"
            // arrays, scalars
            "01000000000000000100000000000000"
            "61"
            "0302000000"
            "02000000000000000100000000000000"
            "07000000000000000800000000000000"
            "01000000000000000100000000000000"
            "73"
            "0000000000001040"
            // texts, records
            "01000000000000000100000000000000"
            "74"
            "040000000000000074657874"
            "01000000000000000100000000000000"
            "72"
            "0000000000000000"
            "01000000000000000500000000000000"
            "696e6e6572"
            "000000000000f03f"
            "00000000000000000000000000000000"
            // error
            "01"
            "0300000000000000776879");
}

TEST(Message, RefusesEveryTruncation) {
  const std::vector<std::byte> whole = encode(full_reply());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(message_error([&] { decode_reply(std::span(whole).first(length)); }), HasSubstr("message: expected")) << length;
  }
}

TEST(Message, RefusesEveryFlippedBit) {
  const std::vector<std::byte> whole = encode(full_reply());
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::vector<std::byte> flipped = whole;
    flipped[bit / 8] ^= std::byte{1} << bit % 8;
    EXPECT_THAT(message_error([&] { decode_reply(flipped); }), HasSubstr("message: expected")) << "bit " << bit;
  }
}

// Lengths are trusted no more where the checksum is right.
TEST(Message, RefusesEveryTruncatedPayload) {
  const std::vector<std::byte> whole = encode(full_reply());
  const auto payload = std::span(whole).subspan(24);
  for (std::size_t length = 0; length < payload.size(); ++length) {
    const auto bytes = written(2, [&](ByteWriter& out) { out.bytes(payload.first(length)); });
    EXPECT_THAT(message_error([&] { decode_reply(bytes); }), HasSubstr("message: expected")) << length;
  }
}

TEST(Message, RefusesWhatIsNoMessage) {
  std::vector<std::byte> bytes = encode(Reply());
  bytes[0] = std::byte{'Q'};
  EXPECT_EQ(message_error([&] { decode_reply(bytes); }), "message: expected the magic 'PFLM', found something else");
  EXPECT_EQ(message_error([&] { decode_reply({}); }), "message: expected 1 x 4 bytes of magic, found 0 bytes left");
}

TEST(Message, RefusesANewerVersion) {
  const auto newer = written(
      kState, [](ByteWriter& out) { write_record(out, {}); }, kWireVersion + 1);
  EXPECT_EQ(message_error([&] { decode_state(newer); }), "message: expected a format version of 1 to 1, found 2");
  const auto zero = written(
      kState, [](ByteWriter& out) { write_record(out, {}); }, 0);
  EXPECT_EQ(message_error([&] { decode_state(zero); }), "message: expected a format version of 1 to 1, found 0");
}

TEST(Message, RefusesAnotherKind) {
  EXPECT_EQ(message_error([] { decode_envelope(encode(Reply())); }), "message: expected a request, found a reply");
  EXPECT_EQ(message_error([] { decode_reply(encode(Envelope())); }), "message: expected a reply, found a request");
  EXPECT_EQ(message_error([] { decode_state(encode(Reply())); }), "message: expected a saved state, found a reply");
  const auto unknown = written(9, [](ByteWriter&) {});
  EXPECT_EQ(message_error([&] { decode_state(unknown); }), "message: expected a saved state, found the unknown kind 9");
}

TEST(Message, RefusesTrailingBytes) {
  std::vector<std::byte> after = encode(Reply());
  after.emplace_back();
  EXPECT_THAT(message_error([&] { decode_reply(after); }), HasSubstr("bytes of payload, found"));
  const auto inside = written(kState, [](ByteWriter& out) {
    write_record(out, {});
    out.u16(0);
  });
  EXPECT_EQ(message_error([&] { decode_state(inside); }), "message: expected the payload to end, found 2 more bytes");
}

TEST(Message, RefusesABadChecksum) {
  std::vector<std::byte> bytes = encode(full_reply());
  bytes.back() ^= std::byte{1};
  EXPECT_THAT(message_error([&] { decode_reply(bytes); }), HasSubstr("message: expected the checksum"));
}

TEST(Message, RefusesBadArrays) {
  EXPECT_EQ(array_error([](ByteWriter& out) { out.u8(0); }), "message: expected an element type of 1 to 4 in array \"x\", found 0");
  EXPECT_EQ(array_error([](ByteWriter& out) { out.u8(5); }), "message: expected an element type of 1 to 4 in array \"x\", found 5");
  EXPECT_EQ(array_error([](ByteWriter& out) {
              out.u8(1);
              out.u32(1);
              out.i64(-3);
            }),
            "message: expected non-negative extents of array \"x\", found -3");
  EXPECT_EQ(array_error([](ByteWriter& out) {
              out.u8(1);
              out.u32(0xffffffffU);
            }),
            "message: expected 4294967295 extents of array \"x\", found 0 bytes left");
  EXPECT_EQ(array_error([](ByteWriter& out) {
              out.u8(2);
              out.u32(2);
              out.i64(std::int64_t{1} << 32);
              out.i64(std::int64_t{1} << 32);
            }),
            "message: expected at least 8 x 4294967296 bytes of array \"x\", found 0 bytes left");
  EXPECT_THAT(array_error([](ByteWriter& out) {
                out.u8(1);
                out.u32(1);
                out.i64(2);
                out.u32(0);
              }),
              HasSubstr("message: expected at least 4 x 2 bytes of array \"x\", found 4 bytes left"));
}

TEST(Message, AnEmptyArrayMayHaveAnyOtherExtents) {
  Record state;
  state.arrays.emplace("x", Array(Array::Type::kFloat32, {std::int64_t{1} << 62, 0, std::int64_t{1} << 62}, {}));
  EXPECT_EQ(decode_state(encode(state)), state);
}

TEST(Message, RefusesNamesOutOfOrder) {
  for (const std::string second : {"b", "a"}) {
    const auto bytes = written(kState, [&](ByteWriter& out) {
      out.u64(0);
      out.u64(2);
      out.text("b");
      out.f64(1);
      out.text(second);
      out.f64(2);
    });
    EXPECT_EQ(message_error([&] { decode_state(bytes); }),
              fmt::format("message: expected scalars by ascending name, found \"{}\" after \"b\"", second));
  }
}

TEST(Message, RefusesDeepRecordsBothWays) {
  const auto nested = [](int depth) {
    Record record;
    Record* deepest = &record;
    for (int i = 1; i < depth; ++i) deepest = &deepest->records["in"];
    return record;
  };
  EXPECT_EQ(decode_state(encode(nested(kMaxRecordDepth))), nested(kMaxRecordDepth));
  const std::string error = "message: expected records nested at most 32 deep, found more";
  EXPECT_EQ(message_error([&] { encode(nested(kMaxRecordDepth + 1)); }), error);
  EXPECT_EQ(message_error([&] { encoded_size(nested(kMaxRecordDepth + 1)); }), error);
  // As deep as a megabyte reaches: the stack must not follow.
  const auto bytes = written(kState, [](ByteWriter& out) {
    for (int i = 0; i < 30000; ++i) {
      for (int map = 0; map < 3; ++map) out.u64(0);
      out.u64(1);
      out.text("");
    }
  });
  EXPECT_EQ(message_error([&] { decode_state(bytes); }), error);
}

}  // namespace
}  // namespace paretofl
