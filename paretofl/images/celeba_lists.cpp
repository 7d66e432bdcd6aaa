#include "paretofl/images/celeba_lists.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/data/text_lines.h"

namespace paretofl {
namespace {

constexpr std::uint32_t kMostImages = 999'999;
constexpr std::size_t kDigits = 6;

// Such as 000001.jpg; 0 where the word is no such name.
std::uint32_t number_of(std::string_view word) {
  if (word.size() != kDigits + 4 || word.substr(kDigits) != ".jpg") return 0;
  std::uint32_t number = 0;
  for (const char c : word.substr(0, kDigits)) {
    if (c < '0' || c > '9') return 0;
    number = 10 * number + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

void check_names(const TextLines& lines, const std::vector<std::string_view>& names) {
  for (std::size_t k = 0; k < std::min(names.size(), kFaceAttributes); ++k) {
    expect(names[k] == kFaceAttributeNames[k], "{}: expected {} as attribute {}, found '{}'", lines.where(), kFaceAttributeNames[k], k + 1,
           shown(names[k]));
  }
  expect(names.size() == kFaceAttributes, "{}: expected the names of {} attributes, found {}", lines.where(), kFaceAttributes,
         names.size());
}

FaceBits attributes_of(const TextLines& lines, const std::vector<std::string_view>& words) {
  FaceBits attributes = 0;
  for (std::size_t k = 0; k < std::min(words.size() - 1, kFaceAttributes); ++k) {
    const std::string_view value = words[k + 1];
    expect(value == "1" || value == "-1", "{}: expected 1 or -1 for {}, found '{}'", lines.where(), kFaceAttributeNames[k], shown(value));
    if (value == "1") attributes |= FaceBits{1} << k;
  }
  expect(words.size() == 1 + kFaceAttributes, "{}: expected an image and {} values, found {} values", lines.where(), kFaceAttributes,
         words.size() - 1);
  return attributes;
}

// After the last image only blank lines may come.
void check_end(TextLines& lines, std::size_t images) {
  while (!lines.at_end()) {
    const auto& words = lines.next("a line");
    expect(words.empty(), "{}: expected the end of the file after {} images, found '{}'", lines.where(), images,
           shown(words.empty() ? "" : words[0]));
  }
}

}  // namespace

std::string CelebaImage::file_name() const { return fmt::format("{:06}.jpg", number); }

std::vector<CelebaImage> parse_celeba_attributes(std::string_view text, std::string_view name) {
  TextLines lines(text, name);
  const auto& header = lines.next("the number of images");
  expect(header.size() == 1, "{}: expected the number of images alone, found {} words", lines.where(), header.size());
  const std::size_t count = lines.count(header[0], kMostImages);
  check_names(lines, lines.next("the attributes' names"));
  std::vector<CelebaImage> images;  // not reserved: the count is only what the file says
  while (images.size() < count) {
    const std::uint32_t last = images.empty() ? 0 : images.back().number;
    const auto& words = lines.next(fmt::format("image {} of {}", images.size() + 1, count));
    const std::uint32_t number = words.empty() ? 0 : number_of(words[0]);
    expect(number > last, "{}: expected an image after {:06}.jpg, found '{}'", lines.where(), last, shown(words.empty() ? "" : words[0]));
    images.push_back({.number = number, .attributes = attributes_of(lines, words)});
  }
  check_end(lines, count);
  return images;
}

void parse_celeba_partition(std::string_view text, std::string_view name, std::vector<CelebaImage>& images) {
  TextLines lines(text, name);
  for (CelebaImage& image : images) {
    const std::string file = image.file_name();
    const auto& words = lines.next(file);
    expect(!words.empty() && words[0] == file, "{}: expected {}, the next image of the attribute list, found '{}'", lines.where(), file,
           shown(words.empty() ? "" : words[0]));
    expect(words.size() == 2, "{}: expected an image and its part, found {} words", lines.where(), words.size());
    expect(words[1] == "0" || words[1] == "1" || words[1] == "2", "{}: expected part 0, 1 or 2, found '{}'", lines.where(),
           shown(words[1]));
    image.part = static_cast<CelebaPart>(words[1][0] - '0');
  }
  check_end(lines, images.size());
}

std::vector<CelebaImage> read_celeba_lists(const std::filesystem::path& folder) {
  const auto attributes = folder / "list_attr_celeba.txt", partition = folder / "list_eval_partition.txt";
  std::vector<CelebaImage> images = parse_celeba_attributes(read_text(attributes), attributes.string());
  parse_celeba_partition(read_text(partition), partition.string(), images);
  return images;
}

}  // namespace paretofl
