#include "paretofl/wire/record_codec.h"

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// As much of a name as an error shows, by {:?}: one short line whatever the bytes.
std::string_view brief(std::string_view name) { return name.substr(0, 40); }

void check_depth(int depth) {
  expect(depth <= kMaxRecordDepth, "message: expected records nested at most {} deep, found more", kMaxRecordDepth);
}

void write_array(ByteWriter& out, const Array& array) {
  out.u8(static_cast<std::uint8_t>(array.type()));
  out.u32(static_cast<std::uint32_t>(array.shape().size()));
  for (const std::int64_t extent : array.shape()) out.i64(extent);
  out.bytes(array.bytes());
}

Array read_array(ByteReader& in, const std::string& name) {
  const std::uint8_t type_number = in.u8("element type");
  expect(type_number >= 1 && type_number <= 4, "message: expected an element type of 1 to 4 in array {:?}, found {}", brief(name),
         type_number);
  const auto type = static_cast<Array::Type>(type_number);
  const std::uint32_t rank = in.u32("rank");
  expect(rank <= in.left() / sizeof(std::int64_t), "message: expected {} extents of array {:?}, found {} bytes left", rank, brief(name),
         in.left());
  std::vector<std::int64_t> shape(rank);
  bool empty = false;
  for (std::int64_t& extent : shape) {
    extent = in.i64("extent");
    expect(extent >= 0, "message: expected non-negative extents of array {:?}, found {}", brief(name), extent);
    empty = empty || extent == 0;
  }
  std::size_t count = empty ? 0 : Array::element_size(type);
  for (const std::int64_t extent : shape) {
    expect(empty || count <= in.left() / static_cast<std::size_t>(extent),
           "message: expected at least {} x {} bytes of array {:?}, found {} bytes left", count, extent, brief(name), in.left());
    count *= static_cast<std::size_t>(extent);
  }
  const auto source = in.bytes(count, "array elements");
  return Array(type, std::move(shape), {source.begin(), source.end()});
}

template <class Map, class WriteValue>
void write_map(ByteWriter& out, const Map& map, WriteValue write_value) {
  out.u64(map.size());
  for (const auto& [name, value] : map) {
    out.text(name);
    write_value(value);
  }
}

template <class Map, class ReadValue>
void read_map(ByteReader& in, Map& map, std::string_view kind, ReadValue read_value) {
  const std::uint64_t count = in.u64(kind);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string name = in.text("name");
    expect(map.empty() || map.rbegin()->first < name, "message: expected {} by ascending name, found {:?} after {:?}", kind, brief(name),
           map.empty() ? "" : brief(map.rbegin()->first));
    auto value = read_value(name);
    map.emplace_hint(map.end(), std::move(name), std::move(value));
  }
}

void write_nested(ByteWriter& out, const Record& record, int depth) {
  check_depth(depth);
  write_map(out, record.arrays, [&](const Array& array) { write_array(out, array); });
  write_map(out, record.scalars, [&](double scalar) { out.f64(scalar); });
  write_map(out, record.texts, [&](const std::string& text) { out.text(text); });
  write_map(out, record.records, [&](const Record& inner) { write_nested(out, inner, depth + 1); });
}

Record read_nested(ByteReader& in, int depth) {
  check_depth(depth);
  Record record;
  read_map(in, record.arrays, "arrays", [&](const std::string& name) { return read_array(in, name); });
  read_map(in, record.scalars, "scalars", [&](const std::string&) { return in.f64("scalar"); });
  read_map(in, record.texts, "texts", [&](const std::string&) { return in.text("text"); });
  read_map(in, record.records, "records", [&](const std::string&) { return read_nested(in, depth + 1); });
  return record;
}

}  // namespace

void write_record(ByteWriter& out, const Record& record) { write_nested(out, record, 1); }
Record read_record(ByteReader& in) { return read_nested(in, 1); }

}  // namespace paretofl
