#include "paretofl/images/face_images.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/images/face_canvas.h"

namespace paretofl {
namespace {

// Positions in kFaceAttributeNames.
enum Attribute : std::size_t {
  kShadow,
  kArchedEyebrows,
  kAttractive,
  kBagsUnderEyes,
  kBald,
  kBangs,
  kBigLips,
  kBigNose,
  kBlackHair,
  kBlondHair,
  kBlurry,
  kBrownHair,
  kBushyEyebrows,
  kChubby,
  kDoubleChin,
  kEyeglasses,
  kGoatee,
  kGrayHair,
  kHeavyMakeup,
  kHighCheekbones,
  kMale,
  kMouthOpen,
  kMustache,
  kNarrowEyes,
  kNoBeard,
  kOvalFace,
  kPaleSkin,
  kPointyNose,
  kRecedingHairline,
  kRosyCheeks,
  kSideburns,
  kSmiling,
  kStraightHair,
  kWavyHair,
  kEarrings,
  kHat,
  kLipstick,
  kNecklace,
  kNecktie,
  kYoung
};

constexpr Colour kBlack{0.05F, 0.05F, 0.05F}, kWhite{0.95F, 0.95F, 0.95F}, kRed{0.8F, 0.1F, 0.15F};

// One face being drawn: its attributes, its own random stream, and what several of its parts share.
class Portrait {
 public:
  Portrait(FaceBits face, Random random)
      : face_(face),
        random_(random),
        skin_(mix({0.55F, 0.36F, 0.25F}, {0.85F, 0.65F, 0.52F}, uniform(0, 1))),
        hair_(hair_colour()),
        canvas_(pose(), colour(0.15F, 0.85F)) {
    if (has(kPaleSkin)) skin_ = mix(skin_, {0.97F, 0.9F, 0.87F}, 0.7F);
    width_ = 8.2F + (has(kChubby) ? 1.6F : 0) - (has(kOvalFace) ? 0.9F : 0) + uniform(-0.4F, 0.4F);
    height_ = 10.6F + (has(kOvalFace) ? 0.9F : 0) + uniform(-0.4F, 0.4F);
    draw_body();
    draw_back_hair();
    draw_head();
    draw_eyes();
    draw_nose();
    draw_mouth();
    draw_beard();
    draw_front_hair();
    draw_ornaments();
    if (has(kBlurry)) {
      canvas_.blur();
      canvas_.blur();
    }
  }

  const FaceCanvas& canvas() const { return canvas_; }
  Random& random() { return random_; }

 private:
  bool has(Attribute attribute) const { return has_attribute(face_, attribute); }
  float uniform(float low, float high) { return static_cast<float>(random_.uniform(low, high)); }
  Colour colour(float low, float high) { return {uniform(low, high), uniform(low, high), uniform(low, high)}; }

  FaceCanvas::Pose pose() {
    return {.x = uniform(-1.2F, 1.2F), .y = uniform(-1, 1), .scale = uniform(0.93F, 1.07F), .radians = uniform(-0.1F, 0.1F)};
  }

  // The mean of what the attributes say; a red of its own where they say nothing.
  Colour hair_colour() {
    Colour sum{};
    float count = 0;
    const auto add = [&](Attribute attribute, const Colour& c) {
      if (!has(attribute)) return;
      for (std::size_t i = 0; i < 3; ++i) sum[i] += c[i];
      ++count;
    };
    add(kBlackHair, {0.06F, 0.05F, 0.07F});
    add(kBrownHair, {0.36F, 0.21F, 0.1F});
    add(kBlondHair, {0.9F, 0.76F, 0.38F});
    add(kGrayHair, {0.68F, 0.7F, 0.73F});
    if (count == 0) return mix({0.5F, 0.16F, 0.08F}, {0.62F, 0.3F, 0.14F}, uniform(0, 1));
    for (float& x : sum) x /= count;
    return sum;
  }

  void draw_body() {
    const float shoulders = has(kMale) ? 14 : 10.5F;
    canvas_.ellipse(0, 18, shoulders, 7, colour(0.1F, 0.9F));
    canvas_.line(0, 8, 0, 14, has(kMale) ? 9 : 6, mix(skin_, kBlack, 0.15F));
    if (has(kNecktie)) {
      canvas_.line(-3, 11.5F, 0, 14, 2.2F, kWhite);
      canvas_.line(3, 11.5F, 0, 14, 2.2F, kWhite);
      canvas_.line(0, 13, 0, 18, 2.6F, mix({0.1F, 0.1F, 0.5F}, {0.6F, 0.05F, 0.1F}, uniform(0, 1)));
    }
    if (has(kNecklace)) canvas_.line(-4, 11, 4, 11, 1.3F, {0.98F, 0.88F, 0.3F}, 1, 2.5F);
  }

  void draw_back_hair() {
    if (has(kBald)) return;
    canvas_.ellipse(0, -4, width_ + 2.2F, height_ - 1, hair_);
    const bool is_long = !has(kMale) && (has(kWavyHair) || has(kStraightHair) || uniform(0, 1) < 0.6F);
    const float length = is_long ? uniform(8, 12) : uniform(-1, 1);
    const float wave = has(kWavyHair) ? 1.6F : 0;
    for (const float side : {-1.0F, 1.0F}) {
      for (float y = -4; y < length; y += 1) {
        canvas_.ellipse(side * (width_ + 0.8F + wave * std::sin(1.6F * y)), y, has(kStraightHair) ? 1.6F : 2.1F, 1.2F, hair_);
      }
    }
  }

  void draw_head() {
    for (const float side : {-1.0F, 1.0F}) canvas_.ellipse(side * width_, 0.5F, 1.5F, 2.2F, mix(skin_, kBlack, 0.12F));
    if (has(kDoubleChin)) {
      canvas_.ellipse(0, height_ - 1.2F, width_ * 0.62F, 2.8F, skin_);
      canvas_.line(-3.5F, height_, 3.5F, height_, 0.9F, mix(skin_, kBlack, 0.5F), 0.9F, 1.2F);
    }
    // A man's jaw is squarer.
    const float power = has(kMale) ? 2.8F : 2;
    canvas_.paint(
        [&](float x, float y) {
          const float r = std::pow(std::pow(std::abs(x) / width_, power) + std::pow(std::abs(y) / height_, power), 1 / power);
          return (r - 1) * width_;
        },
        skin_);
    if (!has(kAttractive)) {
      for (int i = 0; i < 7; ++i) canvas_.ellipse(uniform(-6, 6), uniform(-3, 8), 0.8F, 0.8F, mix(skin_, kBlack, 0.4F), 0.7F);
    }
    if (!has(kYoung)) {
      const Colour crease = mix(skin_, kBlack, 0.45F);
      canvas_.line(-4, -6.2F, 4, -6.2F, 0.6F, crease, 0.8F);
      canvas_.line(-4, -7.8F, 4, -7.8F, 0.6F, crease, 0.8F);
      for (const float side : {-1.0F, 1.0F}) canvas_.line(side * 2.6F, 2.5F, side * 4.4F, 5.5F, 0.7F, crease, 0.8F);
    }
    for (const float side : {-1.0F, 1.0F}) {
      if (has(kHighCheekbones)) canvas_.line(side * 3.5F, 2, side * 6.5F, 0.6F, 1.3F, mix(skin_, kWhite, 0.6F));
      if (has(kRosyCheeks)) canvas_.ellipse(side * 5, 3.2F, 1.9F, 1.5F, {0.93F, 0.3F, 0.35F}, 0.75F);
    }
  }

  void draw_eyes() {
    const float tall = has(kNarrowEyes) ? 0.55F : 1.25F;
    const Colour iris = colour(0.05F, 0.45F);
    for (const float side : {-1.0F, 1.0F}) {
      const float x = side * 3.6F;
      if (has(kHeavyMakeup)) canvas_.ellipse(x, -2.1F, 2.4F, 1.3F, {0.45F, 0.15F, 0.55F}, 0.85F);
      if (has(kBagsUnderEyes)) canvas_.line(x - 1.6F, 0, x + 1.6F, 0, 0.9F, mix(skin_, {0.2F, 0.1F, 0.25F}, 0.6F), 0.9F, 0.8F);
      canvas_.ellipse(x, -1.3F, 1.9F, tall, kWhite);
      canvas_.ellipse(x, -1.3F, 0.9F, tall, iris);
      if (has(kAttractive)) canvas_.ellipse(x + 0.4F, -1.7F, 0.6F, 0.5F, {1, 1, 1});
      const float thick = has(kBushyEyebrows) ? 1.7F : 0.7F;
      const Colour brow = mix(hair_, kBlack, 0.4F);
      canvas_.line(x - 1.9F, -3.6F, x + 1.9F, -3.6F, thick, brow, 1, has(kArchedEyebrows) ? -1.3F : 0);
      if (has(kEyeglasses)) {
        canvas_.paint([x](float u, float v) { return std::abs(std::hypot(u - x, v + 1.3F) - 2.8F) - 0.45F; }, kBlack);
        canvas_.line(-0.9F, -1.4F, 0.9F, -1.4F, 0.8F, kBlack);
      }
    }
  }

  void draw_nose() {
    const Colour shade = mix(skin_, kBlack, 0.28F);
    if (has(kPointyNose)) {
      canvas_.line(0, -1, 1.1F, 2.8F, 0.7F, shade);
      canvas_.line(1.1F, 2.8F, -0.6F, 3, 0.7F, shade);
    } else {
      canvas_.line(0, -0.5F, 0, 2.4F, 0.9F, shade, 0.6F);
    }
    const float wide = has(kBigNose) ? 2.1F : 1;
    canvas_.ellipse(0, 2.7F, wide, has(kBigNose) ? 1.2F : 0.7F, shade, 0.9F);
  }

  void draw_mouth() {
    const Colour lips = has(kLipstick) ? kRed : mix(skin_, {0.6F, 0.25F, 0.25F}, 0.5F);
    const float thick = has(kBigLips) ? 2 : 1;
    const float bend = has(kSmiling) ? 1.5F : -0.3F;
    const float y = has(kSmiling) ? 5.4F : 6.2F;
    canvas_.line(-3, y, 3, y, thick + (has(kMouthOpen) ? 1.6F : 0), lips, 1, bend);
    if (has(kMouthOpen)) {
      canvas_.line(-2.4F, y + 0.1F, 2.4F, y + 0.1F, 1.5F, kBlack, 1, bend);
      canvas_.line(-1.8F, y - 0.2F, 1.8F, y - 0.2F, 0.6F, kWhite, 1, bend);
    } else {
      canvas_.line(-2.6F, y, 2.6F, y, 0.4F, mix(lips, kBlack, 0.5F), 1, bend);
    }
  }

  void draw_beard() {
    const Colour beard = mix(hair_, kBlack, 0.25F);
    if (!has(kNoBeard)) {
      for (float x = -width_ + 1.2F; x <= width_ - 1.2F; x += 1) {
        const float y = height_ * std::sqrt(std::max(0.0F, 1 - x * x / (width_ * width_)));
        canvas_.ellipse(x, y - 1, 1, 1.2F, beard, 0.8F);
      }
    }
    if (has(kShadow)) canvas_.ellipse(0, 6.8F, width_ * 0.75F, 3.4F, {0.3F, 0.35F, 0.42F}, 0.38F);
    if (has(kGoatee)) canvas_.ellipse(0, 9, 1.7F, 1.5F, beard);
    if (has(kMustache)) canvas_.line(-2.6F, 4.3F, 2.6F, 4.3F, 1.3F, beard, 1, -0.5F);
    if (!has(kSideburns)) return;
    for (const float side : {-1.0F, 1.0F}) canvas_.line(side * (width_ - 0.9F), -2, side * (width_ - 1.3F), 4, 1.8F, beard);
  }

  void draw_front_hair() {
    if (has(kBald)) {
      canvas_.ellipse(2, -8, 1.5F, 0.8F, kWhite, 0.6F);
      return;
    }
    const float line = has(kRecedingHairline) ? -9.3F : -6.8F;
    canvas_.paint(
        [&](float x, float y) {
          return std::max(y - line - 0.06F * x * x * (has(kRecedingHairline) ? -1 : 1),
                          std::hypot(x / (width_ + 0.6F), y / (height_ + 0.8F)) * 9 - 9);
        },
        hair_);
    if (has(kBangs)) {
      for (float x = -5; x <= 5; x += 2) canvas_.line(x, -9, x + 0.5F, -4.6F, 1.9F, hair_);
    }
    const Colour shine = mix(hair_, kWhite, 0.45F);
    if (has(kStraightHair)) {
      for (const float x : {-7.5F, -5.0F, 5.0F, 7.5F}) canvas_.line(x, -10, x * 1.25F, -3, 0.7F, shine, 0.8F);
    }
    if (has(kWavyHair)) {
      for (const float x : {-7.0F, -3.0F, 3.0F, 7.0F}) canvas_.line(x - 1.5F, -9.3F, x + 1.5F, -9.3F, 0.7F, shine, 0.9F, -1.2F);
    }
  }

  void draw_ornaments() {
    if (has(kHat)) {
      const Colour felt = colour(0.05F, 0.95F);
      canvas_.paint([&](float x, float y) { return std::max(std::abs(x) - width_ - 0.5F, std::max(y + 6.8F, -y - 14)); }, felt);
      canvas_.line(-width_ - 3, -6.8F, width_ + 3, -6.8F, 2, mix(felt, kBlack, 0.4F));
    }
    if (!has(kEarrings)) return;
    for (const float side : {-1.0F, 1.0F}) canvas_.ellipse(side * (width_ + 0.7F), 3.6F, 1, 1.2F, {1, 0.95F, 0.4F});
  }

  FaceBits face_;
  Random random_;
  Colour skin_;
  Colour hair_;
  FaceCanvas canvas_;
  float width_ = 0;
  float height_ = 0;
};

}  // namespace

ImageDataset draw_faces(std::span<const FaceBits> faces, double noise, const Random& random) {
  expect(!faces.empty(), "faces: expected at least one face, found none");
  expect(noise >= 0 && noise <= 1, "faces: expected noise from 0 to 1, found {}", noise);
  ImageDataset images;
  images.count = faces.size();
  images.channels = 3;
  images.height = images.width = FaceCanvas::kSide;
  images.pixels.resize(images.count * images.image_size());
  for (std::size_t i = 0; i < faces.size(); ++i) {
    Portrait portrait(faces[i], random.substream("face", i));
    Random& draws = portrait.random();
    const double gain = draws.uniform(0.8, 1.1), slope = draws.uniform(-0.25, 0.25);
    const auto pixels = images.image(i);
    for (std::size_t p = 0; p < pixels.size(); ++p) {
      const double light = gain * (1 + slope * (static_cast<double>(p % FaceCanvas::kSide) / FaceCanvas::kSide - 0.5));
      const double value = light * static_cast<double>(portrait.canvas().plane(p / 1024)[p % 1024]) + noise * draws.normal();
      pixels[p] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
    }
  }
  return images;
}

}  // namespace paretofl
