#include "paretofl/tables/npy_file.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/text/text_file.h"

namespace paretofl {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint64_t kMost = std::uint64_t{1} << 40;  // far beyond any file, far from overflow

/// The header: a dictionary in Python's notation, as numpy.lib.format writes it.
class Header {
 public:
  Header(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  /// What follows the key, blanks left out.
  std::string_view after(std::string_view key) const {
    const std::string quoted = fmt::format("'{}':", key);
    const std::size_t found = text_.find(quoted);
    expect(found != std::string_view::npos, "{}: expected the key '{}' in the header, found none", name_, key);
    std::string_view rest = text_.substr(found + quoted.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
  }

  std::string_view type() const {
    const std::string_view rest = after("descr");
    expect(rest.starts_with('\''), "{}: expected an array of numbers, found one of records", name_);
    return rest.substr(1, rest.find('\'', 1) - 1);
  }

  bool fortran_order() const {
    const std::string_view rest = after("fortran_order");
    expect(rest.starts_with("True") || rest.starts_with("False"), "{}: expected True or False for 'fortran_order', found '{}'", name_,
           shown(rest.substr(0, 10)));
    return rest.starts_with("True");
  }

  std::vector<std::uint64_t> shape() const {
    std::string_view rest = after("shape");
    const std::size_t end = rest.find(')');
    expect(rest.starts_with('(') && end != std::string_view::npos, "{}: expected a tuple for 'shape', found '{}'", name_,
           shown(rest.substr(0, 20)));
    rest = rest.substr(1, end - 1);
    std::vector<std::uint64_t> extents;
    while (!rest.empty()) {
      if (rest.front() == ' ' || rest.front() == ',') {
        rest.remove_prefix(1);
        continue;
      }
      std::uint64_t extent = 0;
      const auto [stop, status] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
      expect(status == std::errc() && extent <= kMost, "{}: expected the extents of an array for 'shape', found '{}'", name_, shown(rest));
      rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
      extents.push_back(extent);
    }
    return extents;
  }

 private:
  std::string_view text_;
  const std::string& name_;
};

using Values = decltype(NpyFile::values);

/// Reads elements of the type Stored, `place` being where the i-th one is.
template <class Stored, class Number>
Values read_numbers(std::span<const std::uint8_t> data, std::size_t count, const std::function<std::size_t(std::size_t)>& place) {
  std::vector<Number> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, data.data() + place(i) * sizeof(Stored), sizeof(Stored));
    numbers[i] = static_cast<Number>(value);
  }
  return numbers;
}

struct ElementType {
  std::string_view name;
  std::size_t size;
  Values (*read)(std::span<const std::uint8_t>, std::size_t, const std::function<std::size_t(std::size_t)>&);
};

template <class Stored, class Number = std::int64_t>
constexpr ElementType element(std::string_view name) {
  return {name, sizeof(Stored), read_numbers<Stored, Number>};
}

constexpr ElementType kTypes[] = {element<double, double>("<f8"),
                                  element<float, double>("<f4"),
                                  element<std::int64_t>("<i8"),
                                  element<std::int32_t>("<i4"),
                                  element<std::int16_t>("<i2"),
                                  element<std::int8_t>("|i1"),
                                  element<std::uint64_t, std::uint64_t>("<u8"),
                                  element<std::uint32_t>("<u4"),
                                  element<std::uint16_t>("<u2"),
                                  element<std::uint8_t>("|u1"),
                                  element<std::uint8_t>("|b1")};

const ElementType& type_of(std::string_view type, const std::string& name) {
  for (const ElementType& known : kTypes) {
    if (known.name == type) return known;
  }
  throw Error(
      fmt::format("{}: expected little-endian floats of 4 or 8 bytes, integers or booleans, found the type '{}'", name, shown(type)));
}

std::string text_of(double number) { return std::isnan(number) ? "nan" : fmt::format("{}", number + 0.0); }
std::string text_of(std::int64_t number) { return fmt::format("{}", number); }
std::string text_of(std::uint64_t number) { return fmt::format("{}", number); }

}  // namespace

std::size_t NpyFile::size() const {
  return std::visit([](const auto& numbers) { return numbers.size(); }, values);
}

std::string NpyFile::text(std::size_t row, std::size_t column) const {
  return std::visit([&](const auto& numbers) { return text_of(numbers[row * columns + column]); }, values);
}

NpyFile parse_npy(std::span<const std::uint8_t> content, const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
  expect(text.starts_with(kMagic), "{}: expected an .npy file, which begins with \\x93NUMPY, found another beginning", name);
  expect(content.size() >= 12, "{}: expected a header of at least 12 bytes, found {}", name, content.size());
  const unsigned version = content[6];
  expect(version >= 1 && version <= 3, "{}: expected version 1 to 3 of the format, found {}", name, version);
  const std::size_t begin = version == 1 ? 10 : 12;
  std::size_t length = content[8] + (std::size_t{content[9]} << 8U);
  if (version > 1) length += (std::size_t{content[10]} << 16U) + (std::size_t{content[11]} << 24U);
  expect(length <= content.size() - begin, "{}: expected a header of {} bytes, found the end of the file", name, length);
  const Header header(text.substr(begin, length), name);
  const ElementType& type = type_of(header.type(), name);
  const bool by_column = header.fortran_order();
  const std::vector<std::uint64_t> shape = header.shape();
  expect(shape.size() == 1 || shape.size() == 2, "{}: expected an array of two dimensions, rows and columns, found one of {}", name,
         shape.size());
  NpyFile file;
  file.rows = shape[0];
  file.columns = shape.size() == 2 ? shape[1] : 1;
  const auto data = content.subspan(begin + length);
  const bool fits = file.columns == 0 || file.rows <= data.size() / file.columns;
  expect(fits && file.rows * file.columns * type.size == data.size(), "{}: expected {} x {} numbers of {} bytes, found {} bytes", name,
         file.rows, file.columns, type.size, data.size());
  file.values = type.read(data, file.rows * file.columns,
                          [&](std::size_t i) { return by_column ? i % file.columns * file.rows + i / file.columns : i; });
  return file;
}

}  // namespace paretofl
