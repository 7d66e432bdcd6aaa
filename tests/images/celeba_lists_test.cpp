#include "paretofl/images/celeba_lists.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/workloads/data_catalog.h"
#include "paretofl/workloads/faces.h"
#include "tests/data_folder.h"
#include "tests/images/celeba_files.h"
#include "tests/images/idx_bytes.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

// What an Error says of the text, without the list's name in front.
std::string attribute_error(const std::string& text) {
  try {
    parse_celeba_attributes(text, "list");
  } catch (const Error& error) {
    return std::string(error.what()).substr(5);
  }
  return "none";
}

std::vector<CelebaImage> three_images() { return parse_celeba_attributes(celeba_attribute_list(even_faces(3, 1)), "list"); }

std::string partition_error(const std::string& text) {
  std::vector<CelebaImage> images = three_images();
  try {
    parse_celeba_partition(text, "list", images);
  } catch (const Error& error) {
    return std::string(error.what()).substr(5);
  }
  return "none";
}

TEST(CelebaLists, ReadBackWhatWasWritten) {
  const std::vector<FaceBits> faces = even_faces(200, 2);
  std::vector<CelebaImage> images = parse_celeba_attributes(celeba_attribute_list(faces), "a");
  ASSERT_EQ(images.size(), 200U);
  parse_celeba_partition(celeba_partition_list({120, 50, 30}), "b", images);
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_EQ(images[i].number, i + 1);
    EXPECT_EQ(images[i].attributes, faces[i]);
    EXPECT_EQ(images[i].part, i < 120 ? CelebaPart::kTrain : i < 170 ? CelebaPart::kValidation : CelebaPart::kTest);
  }
  EXPECT_EQ(images[41].file_name(), "000042.jpg");
}

// LF for CR LF, tabs, blank lines at the end, no line end at the end, a choice of the images.
TEST(CelebaLists, BlanksAndMissingImagesDontMatter) {
  const std::vector<FaceBits> faces = even_faces(3, 1);
  std::string text = celeba_attribute_list(faces);
  std::erase(text, '\r');
  const auto bits_of = [](const std::string& list) {
    std::vector<FaceBits> bits;
    for (const CelebaImage& image : parse_celeba_attributes(list, "list")) bits.push_back(image.attributes);
    return bits;
  };
  EXPECT_EQ(bits_of(text), faces);
  EXPECT_EQ(bits_of(text + "\n \r\n\n"), faces);
  EXPECT_EQ(bits_of(text.substr(0, text.size() - 1)), faces);
  std::replace(text.begin(), text.end(), ' ', '\t');
  EXPECT_EQ(bits_of(text), faces);
  const auto images = parse_celeba_attributes(replaced(text, "000003", "202599"), "list");
  EXPECT_EQ(images[2].file_name(), "202599.jpg");
  EXPECT_EQ(partition_error("000001.jpg 2\n000002.jpg\t0\n000003.jpg  1"), "none");
}

TEST(CelebaLists, SayWhatIsWrongWithTheAttributes) {
  const std::string good = celeba_attribute_list(even_faces(3, 1));
  const std::string names = good.substr(3, good.find('\n', 3) - 3);
  const auto from_line = [&](int line) {
    std::size_t at = 0;
    while (--line > 0) at = good.find('\n', at) + 1;
    return at;
  };
  const std::size_t third = from_line(3);
  const std::string first_image = good.substr(third, from_line(4) - third);

  EXPECT_EQ(attribute_error(""), "1: expected the number of images, found the end of the file");
  EXPECT_EQ(attribute_error("\n" + good), "1: expected the number of images alone, found 0 words");
  EXPECT_EQ(attribute_error(replaced(good, "3", "3 3")), "1: expected the number of images alone, found 2 words");
  for (const char* count : {"0", "-1", "x", "1000000", "99999999999999999999", "3.0"}) {
    EXPECT_EQ(attribute_error(replaced(good, "3", count)), "1: expected a number from 1 to 999999, found '" + std::string(count) + "'");
  }
  EXPECT_EQ(attribute_error(replaced(good, "3", "4")), "6: expected image 4 of 4, found the end of the file");
  EXPECT_EQ(attribute_error(replaced(good, "3", "999999")), "6: expected image 4 of 999999, found the end of the file");
  EXPECT_EQ(attribute_error(replaced(good, "3", "2")), "5: expected the end of the file after 2 images, found '000003.jpg'");

  EXPECT_EQ(attribute_error("3\n"), "2: expected the attributes' names, found the end of the file");
  EXPECT_EQ(attribute_error(replaced(good, "Bald", "bald")), "2: expected Bald as attribute 5, found 'bald'");
  EXPECT_EQ(attribute_error(replaced(good, "Male Mouth_Slightly_Open", "Mouth_Slightly_Open Male")),
            "2: expected Male as attribute 21, found 'Mouth_Slightly_Open'");
  EXPECT_EQ(attribute_error(replaced(good, " Young", "")), "2: expected the names of 40 attributes, found 39");
  EXPECT_EQ(attribute_error(replaced(good, "Young", "Young Old")), "2: expected the names of 40 attributes, found 41");
  EXPECT_EQ(attribute_error("3\n" + first_image), "2: expected 5_o_Clock_Shadow as attribute 1, found '000001.jpg'");

  EXPECT_EQ(attribute_error(good.substr(0, third)), "3: expected image 1 of 3, found the end of the file");
  for (const char* name : {"00001.jpg", "0000001.jpg", "000001.png", "000001", "../../.jpg", "0x0001.jpg", "000000.jpg", "-00001.jpg"}) {
    EXPECT_EQ(attribute_error(replaced(good, "000001.jpg", name)),
              "3: expected an image after 000000.jpg, found '" + std::string(name) + "'");
  }
  EXPECT_EQ(attribute_error(replaced(good, "000002", "000001")), "4: expected an image after 000001.jpg, found '000001.jpg'");
  EXPECT_EQ(attribute_error(replaced(good, "000002", "000005")), "5: expected an image after 000005.jpg, found '000003.jpg'");
  EXPECT_EQ(attribute_error(replaced(good, "000002.jpg", "\n000002.jpg")), "4: expected an image after 000001.jpg, found ''");

  const std::size_t value = first_image.find(" ") + 1, length = first_image[value] == '-' ? 2 : 1;
  for (const char* wrong : {"0", "2", "+1", "1.0", "--1", "-"}) {
    EXPECT_EQ(attribute_error(std::string(good).replace(third + value, length, wrong)),
              "3: expected 1 or -1 for 5_o_Clock_Shadow, found '" + std::string(wrong) + "'");
  }
  EXPECT_EQ(attribute_error(std::string(good).insert(third + first_image.size() - 2, " 1")),
            "3: expected an image and 40 values, found 41 values");
  EXPECT_EQ(attribute_error(replaced(good, first_image, "000001.jpg 1 1\n")), "3: expected an image and 40 values, found 2 values");
  EXPECT_EQ(attribute_error(good.substr(0, good.size() - 29)), "5: expected an image and 40 values, found 31 values");
  EXPECT_EQ(attribute_error(replaced(good, "000002", std::string_view("00\0\x1b\xff\x02", 6))),
            "4: expected an image after 000001.jpg, found '00????.jpg'");
  EXPECT_EQ(attribute_error(good + std::string(1, '\0')), "6: expected the end of the file after 3 images, found '?'");
}

TEST(CelebaLists, SayWhatIsWrongWithTheParts) {
  const std::string good = celeba_partition_list({1, 1, 1});
  EXPECT_EQ(partition_error(good), "none");
  EXPECT_EQ(partition_error(""), "1: expected 000001.jpg, found the end of the file");
  EXPECT_EQ(partition_error(good.substr(0, 28)), "3: expected 000003.jpg, found the end of the file");
  EXPECT_EQ(partition_error(good.substr(0, 39)), "3: expected an image and its part, found 1 words");
  EXPECT_EQ(partition_error(replaced(good, "000002", "000003")),
            "2: expected 000002.jpg, the next image of the attribute list, found '000003.jpg'");
  EXPECT_EQ(partition_error("\n" + good), "1: expected 000001.jpg, the next image of the attribute list, found ''");
  EXPECT_EQ(partition_error(good + "000004.jpg 0\n"), "4: expected the end of the file after 3 images, found '000004.jpg'");
  EXPECT_EQ(partition_error(replaced(good, ".jpg 1", ".jpg 1 1")), "2: expected an image and its part, found 3 words");
  for (const char* part : {"3", "-1", "01", "x", "0x1"}) {
    EXPECT_EQ(partition_error(replaced(good, " 1", " " + std::string(part))),
              "2: expected part 0, 1 or 2, found '" + std::string(part) + "'");
  }
}

TEST(CelebaLists, ErrorsNameTheFile) {
  const auto folder = empty_folder("celeba_lists");
  const auto write = [&](const char* name, const std::string& text) { write_bytes(folder / name, Bytes(text.begin(), text.end())); };
  EXPECT_THAT([&] { read_celeba_lists(folder); }, ThrowsMessage<Error>(HasSubstr("list_attr_celeba.txt: expected a file")));
  write("list_attr_celeba.txt", celeba_attribute_list(even_faces(3, 1)));
  EXPECT_THAT([&] { read_celeba_lists(folder); }, ThrowsMessage<Error>(HasSubstr("list_eval_partition.txt: expected a file")));
  write("list_eval_partition.txt", celeba_partition_list({1, 1, 1}) + "x");
  EXPECT_THAT([&] { read_celeba_lists(folder); }, ThrowsMessage<Error>(HasSubstr("list_eval_partition.txt:4: expected the end")));
  write("list_eval_partition.txt", celeba_partition_list({1, 1, 1}));
  EXPECT_EQ(read_celeba_lists(folder)[2].part, CelebaPart::kTest);
}

// The published lists, made again from the packed table: the catalog's checksums say that every byte is right.
TEST(CelebaLists, ReadThePublishedLists) {
  PARETOFL_NEEDS_DATA("celeba/attr_bits.bin.xz");
  const std::vector<FaceBits> faces = read_face_table(data_folder() / "celeba" / "attr_bits.bin.xz");
  const auto root = empty_folder("celeba_published");
  const std::string attributes = celeba_attribute_list(faces), parts = celeba_partition_list({162770, 19867, 19962});
  write_bytes(root / "celeba" / "list_attr_celeba.txt", Bytes(attributes.begin(), attributes.end()));
  write_bytes(root / "celeba" / "list_eval_partition.txt", Bytes(parts.begin(), parts.end()));
  const auto checks = check_source(*catalog_entry("celeba").sources.at(0), root);
  EXPECT_EQ(checks.at(1).found, "202599 x 40 attributes, content as published") << checks[1].problem;
  EXPECT_EQ(checks.at(2).found, "202599 parts, content as published") << checks[2].problem;
  const auto images = read_celeba_lists(root / "celeba");
  ASSERT_EQ(images.size(), 202599U);
  EXPECT_TRUE(std::equal(images.begin(), images.end(), faces.begin(),
                         [](const CelebaImage& image, FaceBits face) { return image.attributes == face; }));
  EXPECT_EQ(std::count_if(images.begin(), images.end(), [](const CelebaImage& image) { return image.part == CelebaPart::kTest; }), 19962);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace paretofl
