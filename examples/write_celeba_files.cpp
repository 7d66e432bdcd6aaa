// Draws faces and writes them as files in CelebA's format, for the workloads celeba and celeba5 where CelebA itself is
// not at hand. Of every ten images eight are for training, one for validation and one for the test.
//
// Usage: build/examples/write_celeba_files FOLDER IMAGES [SEED]
// For example: build/examples/write_celeba_files data/celeba 3000      writes 54 MB
#include <cstdio>
#include <cstdlib>

#include "paretofl/core/error.h"
#include "tests/images/celeba_files.h"

using namespace paretofl;

int main(int argc, char** argv) {
  const std::size_t count = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
  if (argc > 4 || count < 10 || count > 999'999) {
    std::fprintf(stderr, "write_celeba_files: expected FOLDER IMAGES [SEED] with 10 to 999999 images\n");
    return 1;
  }
  try {
    const Random random({.seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1}, "celeba files");
    const FaceAttributeModel model;
    Random rows = random.substream("attributes");
    std::vector<FaceBits> faces(count);
    for (FaceBits& face : faces) face = model.draw(rows);
    write_celeba_files(argv[1], faces, {count - 2 * (count / 10), count / 10, count / 10}, 0.08, random);
  } catch (const Error& error) {
    std::fprintf(stderr, "write_celeba_files: %s\n", error.what());
    return 1;
  }
  return 0;
}
