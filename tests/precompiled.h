#pragma once

#include <gmock/gmock.h>

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/core/record.h"
#include "paretofl/registry/settings.h"

// What most tests include, compiled once for all of them where the compiler is clang (tests/CMakeLists.txt). It also holds the code of the
// templates that are instantiated below, which tests then need not compile again. Nothing here is called.

namespace paretofl::precompiled {

template <typename Json>
void use_json(const std::string& text, std::istream& stream) {
  Json a = Json::parse(text);
  Json b = Json::parse(stream);
  a["key"] = b.at("key");
  a.push_back(b);
  std::ostringstream out;
  out << a << b.dump() << a.dump(2) << (a == b) << a.contains("key") << a.value("key", std::string());
  for (const auto& [key, value] : a.items()) out << key << value.template get<std::string>();
  for (const auto& value : b) out << value.template get<double>() << value.template get<int>() << value.template get<bool>();
  out << a.template get<std::vector<double>>().size() << a.template get<std::vector<std::string>>().size();
}

template <typename Number>
void use_numbers() {
  const std::vector<Number> values(2);
  EXPECT_EQ(values, values);
  EXPECT_THAT(values, testing::ElementsAre(Number{}));
  EXPECT_THAT(values, testing::ElementsAre(Number{}, Number{}));
  EXPECT_THAT(values, testing::ElementsAre(Number{}, Number{}, Number{}));
  EXPECT_THAT(values, testing::Each(Number{}));
  EXPECT_THAT(std::span(values), testing::ElementsAre(Number{}, Number{}));
  EXPECT_THAT(std::span(values), testing::ElementsAreArray(values));
  EXPECT_THAT(values, testing::ElementsAreArray(values));
}

template <typename Value>
void use_map() {
  std::map<std::string, Value, std::less<>> map{{"key", Value{}}};
  map["key"] = Value{};
  map.emplace("key", Value{});
  std::map<std::string, Value, std::less<>> other = map;
  other = map;
  map.at("key") = other["key"];
  (void)(map.contains("key") && map.find("key") != map.end() && map.erase("key") > 0);
}

inline void use() {
  std::istringstream stream;
  use_json<nlohmann::json>("", stream);
  use_json<nlohmann::ordered_json>("", stream);
  const std::string text = "a";
  EXPECT_EQ(text, text);
  EXPECT_EQ(text, "a");
  EXPECT_EQ(1, 1);
  EXPECT_EQ(1U, 1UL);
  EXPECT_EQ(text.size(), 1UL);
  EXPECT_EQ(1.0, 1.0);
  EXPECT_NE(text, text);
  EXPECT_LT(1.0, 1.0);
  EXPECT_GT(1.0, 1.0);
  EXPECT_TRUE(text.empty());
  EXPECT_NEAR(1.0, 1.0, 1.0);
  EXPECT_DOUBLE_EQ(1.0, 1.0);
  EXPECT_FLOAT_EQ(1.0F, 1.0F);
  EXPECT_THAT(text, testing::HasSubstr("a"));
  EXPECT_THAT(text, testing::HasSubstr(text));
  EXPECT_THAT([] {}, testing::ThrowsMessage<Error>(testing::HasSubstr("a")));
  EXPECT_THAT([] {}, testing::ThrowsMessage<Error>("a"));
  use_numbers<double>();
  use_numbers<float>();
  use_numbers<int>();
  use_numbers<std::size_t>();
  const std::vector<std::string> texts;
  EXPECT_EQ(texts, texts);
  EXPECT_THAT(texts, testing::ElementsAre("a", "b"));
  EXPECT_THAT(texts, testing::ElementsAre("a", "b", "c"));
  const std::vector<double> doubles;
  const std::vector<float> floats;
  EXPECT_THAT(doubles, testing::Pointwise(testing::DoubleNear(1), doubles));
  EXPECT_THAT(floats, testing::Pointwise(testing::FloatNear(1), floats));
  EXPECT_THAT(doubles, testing::Pointwise(testing::DoubleEq(), doubles));
  use_map<double>();
  use_map<std::string>();
  use_map<std::vector<double>>();
  use_map<Array>();
  use_map<Record>();
  use_map<Settings::Value>();
  use_map<Settings>();
  use_map<nlohmann::json>();
}

}  // namespace paretofl::precompiled

template class std::vector<double>;
template class std::vector<float>;
template class std::vector<int>;
template class std::vector<std::size_t>;
template class std::vector<std::string>;
template class std::map<std::string, double, std::less<>>;
template class std::map<std::string, std::string, std::less<>>;
template class std::map<std::string, std::vector<double>, std::less<>>;
template class std::set<std::string>;
template class std::function<void()>;
