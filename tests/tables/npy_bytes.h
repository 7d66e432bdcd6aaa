#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace paretofl {

/// An .npy file of version 1 with that header and those numbers, as NumPy writes it.
template <class T>
std::vector<std::uint8_t> npy_bytes(const std::string& type, const std::string& shape, const std::vector<T>& numbers,
                                    bool by_column = false) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + (by_column ? "True" : "False") + ", 'shape': " + shape + ", }";
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string text = "\x93NUMPY";
  text += {'\1', '\0', static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
  text += header;
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  const std::size_t begin = bytes.size();
  bytes.resize(begin + numbers.size() * sizeof(T));
  if (!numbers.empty()) std::memcpy(bytes.data() + begin, numbers.data(), numbers.size() * sizeof(T));
  return bytes;
}

}  // namespace paretofl
