#include "paretofl/registry/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include <cmath>
#include <functional>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_lister.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/registry/registry.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Fruit {
  double size;
};

struct AppleOptions {
  double size = 2;
  void describe(OptionVisitor& visit) { visit.real("size", size, 0, 10, "how large"); }
};

struct PearOptions {
  bool ripe = false;
  void describe(OptionVisitor& visit) { visit.boolean("ripe", ripe, "whether to eat it"); }
};

const Registry<Fruit(const Settings&)>& fruits() {
  static const Registry<Fruit(const Settings&)> kRegistry(
      "fruit", {
                   {{"apple", "round", "", described<AppleOptions>()},
                    [](const Settings& settings) { return Fruit{read_options<AppleOptions>(settings, "fruit").size}; }},
                   {{"pear", "less round", "", described<PearOptions>()}, [](const Settings&) { return Fruit{1}; }},
               });
  return kRegistry;
}

struct BasketOptions {
  std::int64_t count = 3;
  double price = 0.5;
  bool closed = true;
  std::string owner = "nobody";
  std::string color = "red";
  std::vector<double> days;
  Component fruit{"apple", {}};
  std::string lid = "wood";
  Components gifts{{"large", {"apple", {}}}};
  std::vector<std::string> tags = {"fresh"};

  void describe(OptionVisitor& visit) {
    visit.integer("count", count, 1, 10, "how many");
    visit.real("price", price, 0, kInfinity, "of one");
    visit.boolean("closed", closed, "whether it has a lid");
    visit.text("owner", owner, "whose it is");
    visit.choice("color", color, {"red", "green"}, "of the basket");
    visit.reals("days", days, -1, 1, "when to buy");
    visit.component("fruit", fruit, fruits(), "what is in it");
    visit.group("lid", [this](OptionVisitor& inner) { inner.text("material", lid, "what it is made of"); });
    visit.components_with_texts("gifts", gifts, fruits(), "what comes along", {{"card", "what is written on it"}});
    visit.texts("tags", tags, "what stands on it");
  }
};

Settings values(std::map<std::string, Settings::Value, std::less<>> values) { return {std::move(values), {}}; }

BasketOptions basket(const Settings& settings) { return read_options<BasketOptions>(settings, "basket"); }

std::string error_of(const Settings& settings) {
  try {
    basket(settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Options, AbsentKeysKeepTheirDefaults) {
  const BasketOptions options = basket({});
  EXPECT_EQ(options.count, 3);
  EXPECT_EQ(options.fruit.name, "apple");
}

TEST(Options, SettingsReplaceTheDefaults) {
  const BasketOptions options = basket(values({{"count", std::int64_t{10}},
                                               {"price", 2.5},
                                               {"closed", false},
                                               {"owner", "me"},
                                               {"color", "green"},
                                               {"days", std::vector<double>{-1, 1}},
                                               {"fruit", "pear"}}));
  EXPECT_EQ(options.count, 10);
  EXPECT_EQ(options.price, 2.5);
  EXPECT_FALSE(options.closed);
  EXPECT_EQ(options.owner, "me");
  EXPECT_EQ(options.color, "green");
  EXPECT_THAT(options.days, ElementsAre(-1, 1));
  EXPECT_EQ(options.fruit.name, "pear");
}

TEST(Options, ARealMayBeWrittenAsAnInteger) { EXPECT_EQ(basket(values({{"price", std::int64_t{4}}})).price, 4); }

TEST(Options, AnEmptyListHasNoType) { EXPECT_TRUE(basket(values({{"days", std::vector<std::string>{}}})).days.empty()); }

TEST(Options, AListOfTextsIsReadWhole) {
  const std::vector<std::string> tags{"a, b", ""};
  EXPECT_EQ(basket(values({{"tags", tags}})).tags, tags);
  EXPECT_TRUE(basket(values({{"tags", std::vector<std::string>{}}})).tags.empty());
  EXPECT_THAT(basket({}).tags, ElementsAre("fresh"));
  EXPECT_EQ(error_of(values({{"tags", "a"}})), "config: expected a list of texts for basket.tags, found a text (\"a\")");
  EXPECT_THAT(error_of(values({{"tags", std::vector<double>{1}}})), HasSubstr("found a list of numbers"));
}

TEST(Options, UnknownKeysNameTheNearest) {
  EXPECT_EQ(error_of(values({{"prize", 1.0}})), "config: expected a known key, found basket.prize; did you mean basket.price?");
  EXPECT_THAT(error_of(values({{"qqqqqqqqqqqqqqqqqqqq", 1.0}})), HasSubstr("expected one of count, price"));
  EXPECT_THAT(error_of({{}, {{"colour", {}}}}), HasSubstr("did you mean basket.color?"));
}

TEST(Options, ValuesOutOfRangeAreErrors) {
  EXPECT_EQ(error_of(values({{"count", std::int64_t{0}}})), "config: expected basket.count 1 to 10, found 0");
  EXPECT_EQ(error_of(values({{"count", std::int64_t{11}}})), "config: expected basket.count 1 to 10, found 11");
  EXPECT_EQ(error_of(values({{"price", -0.5}})), "config: expected basket.price >= 0, found -0.5");
  EXPECT_THAT(error_of(values({{"price", std::nan("")}})), HasSubstr("expected a finite number for basket.price, found nan"));
  EXPECT_THAT(error_of(values({{"price", std::numeric_limits<double>::infinity()}})),
              HasSubstr("expected a finite number for basket.price, found inf"));
  EXPECT_THAT(error_of(values({{"days", std::vector<double>{0, std::nan("")}}})), HasSubstr("expected a finite number for basket.days"));
  EXPECT_EQ(error_of(values({{"days", std::vector<double>{0, 2}}})), "config: expected basket.days -1 to 1, found 2");
  EXPECT_EQ(error_of(values({{"color", "blue"}})), "config: expected basket.color to be one of red, green; found 'blue'");
}

TEST(Options, WrongTypesAreErrors) {
  EXPECT_EQ(error_of(values({{"count", 1.5}})), "config: expected an integer for basket.count, found a real (1.5)");
  EXPECT_EQ(error_of(values({{"price", "cheap"}})), "config: expected a real for basket.price, found a text (\"cheap\")");
  EXPECT_EQ(error_of(values({{"closed", std::int64_t{1}}})), "config: expected a boolean for basket.closed, found an integer (1)");
  EXPECT_EQ(error_of(values({{"owner", true}})), "config: expected a text for basket.owner, found a boolean (true)");
  EXPECT_THAT(error_of(values({{"days", 1.0}})), HasSubstr("expected a list of numbers for basket.days, found a real"));
  EXPECT_THAT(error_of(values({{"days", std::vector<std::string>{"x"}}})), HasSubstr("found a list of texts"));
  EXPECT_EQ(error_of({{}, {{"count", {}}}}), "config: expected a value for basket.count, found a table");
}

TEST(Options, AComponentCarriesItsOwnSettings) {
  const Settings settings{{}, {{"fruit", values({{"name", "apple"}, {"size", 5.0}})}}};
  const BasketOptions options = basket(settings);
  EXPECT_EQ(fruits().at(options.fruit.name).make(options.fruit.settings).size, 5);
  EXPECT_EQ(basket({{}, {{"fruit", values({{"size", 7.0}})}}}).fruit.name, "apple") << "the default name stays";
}

TEST(Options, AComponentIsCheckedWhereItIsNamed) {
  EXPECT_EQ(error_of(values({{"fruit", "aple"}})), "fruit: expected one of apple, pear; found 'aple'; did you mean apple?");
  EXPECT_THAT(error_of(values({{"fruit", 1.0}})), HasSubstr("expected the fruit's name for basket.fruit, found a real"));
  EXPECT_THAT(error_of({{}, {{"fruit", values({{"name", "pear"}, {"size", 5.0}})}}}), HasSubstr("basket.fruit.size"));
  EXPECT_EQ(error_of({{}, {{"fruit", values({{"size", 50.0}})}}}), "config: expected basket.fruit.size 0 to 10, found 50");
}

TEST(Options, AGroupIsATableOfItsOwn) {
  EXPECT_EQ(basket({{}, {{"lid", values({{"material", "straw"}})}}}).lid, "straw");
  EXPECT_EQ(basket({}).lid, "wood");
  EXPECT_EQ(error_of(values({{"lid", "straw"}})), "config: expected a table basket.lid, found a value");
  EXPECT_EQ(error_of({{}, {{"lid", values({{"materal", "straw"}})}}}),
            "config: expected a known key, found basket.lid.materal; did you mean basket.lid.material?");
}

TEST(Options, NamedComponentsReplaceTheDefaultOnes) {
  EXPECT_EQ(basket({}).gifts.at("large").name, "apple");
  const Settings two{{}, {{"gifts", {{{"small", "pear"}}, {{"large", values({{"size", 5.0}})}}}}}};
  const Components gifts = basket(two).gifts;
  ASSERT_EQ(gifts.size(), 2U);
  EXPECT_EQ(gifts.at("small").name, "pear");
  EXPECT_EQ(gifts.at("large").name, "apple") << "a default part keeps its kind";
  EXPECT_EQ(fruits().at("apple").make(gifts.at("large").settings).size, 5);
  EXPECT_EQ(basket({{}, {{"gifts", values({{"one", "pear"}})}}}).gifts.count("large"), 0U);
}

TEST(Options, NamedComponentsMayHaveTextsBesideTheirOwnOptions) {
  const Settings one{
      {}, {{"gifts", {{}, {{"small", values({{"name", "pear"}, {"card", "for you"}})}, {"other", values({{"name", "pear"}})}}}}}};
  const Components gifts = basket(one).gifts;
  EXPECT_EQ(gifts.at("small").texts, (std::map<std::string, std::string>{{"card", "for you"}}));
  EXPECT_FALSE(gifts.at("small").settings.values.contains("card")) << "no option of the part";
  EXPECT_TRUE(gifts.at("other").texts.empty());
  BasketOptions options;
  OptionReader reader(one, "basket");
  options.describe(reader);
  const Settings& resolved = reader.resolved().tables.at("gifts");
  EXPECT_EQ(std::get<std::string>(resolved.tables.at("small").values.at("card")), "for you");
  EXPECT_FALSE(resolved.tables.at("other").values.contains("card")) << "so that earlier runs stay what they were";
  EXPECT_EQ(basket(reader.resolved()).gifts.at("small").texts, gifts.at("small").texts);
  EXPECT_THAT(error_of({{}, {{"gifts", {{}, {{"large", values({{"card", 5.0}})}}}}}}),
              HasSubstr("expected a text for basket.gifts.large.card, found a real"));
  EXPECT_THAT(error_of({{}, {{"gifts", {{}, {{"large", values({{"cart", "a"}})}}}}}}), HasSubstr("did you mean basket.gifts.large.card?"));
}

TEST(Options, APartMayNotHaveAnOptionOfATextsName) {
  struct Labelled {
    Components gifts{{"large", {"apple", {}}}};
    void describe(OptionVisitor& visit) { visit.components_with_texts("gifts", gifts, fruits(), "", {{"size", "on the label"}}); }
  };
  try {
    read_options<Labelled>({}, "basket");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("a fruit without an option 'size', which stands for another text in basket.gifts.large, found apple"));
  }
}

TEST(Options, NamedComponentsAreCheckedWhereTheyAreNamed) {
  EXPECT_EQ(error_of({{}, {{"gifts", {{}, {{"one", values({{"size", 5.0}})}}}}}}),
            "config: expected the fruit's name in basket.gifts.one.name, found none");
  EXPECT_THAT(error_of({{}, {{"gifts", values({{"one", "plum"}})}}}), HasSubstr("expected one of apple, pear; found 'plum'"));
  EXPECT_THAT(error_of({{}, {{"gifts", {{}, {{"large", values({{"sise", 5.0}})}}}}}}), HasSubstr("did you mean basket.gifts.large.size?"));
  EXPECT_EQ(error_of(values({{"gifts", "apple"}})), "config: expected tables [basket.gifts.NAME], found a value");
}

TEST(Options, ResolvedSettingsHoldEveryFieldAndReadBackTheSame) {
  const Settings settings{{{"count", std::int64_t{7}}}, {{"fruit", values({{"name", "pear"}})}, {"gifts", values({{"one", "pear"}})}}};
  BasketOptions options;
  OptionReader reader(settings, "basket");
  options.describe(reader);
  const Settings& resolved = reader.resolved();
  EXPECT_EQ(std::get<std::int64_t>(resolved.values.at("count")), 7);
  EXPECT_EQ(std::get<std::string>(resolved.values.at("color")), "red");
  EXPECT_EQ(std::get<std::string>(resolved.tables.at("fruit").values.at("name")), "pear");
  EXPECT_EQ(std::get<bool>(resolved.tables.at("fruit").values.at("ripe")), false);
  BasketOptions again;
  OptionReader second(resolved, "basket");
  again.describe(second);
  second.finish();
  EXPECT_EQ(second.resolved(), resolved);
}

TEST(Options, ListerCollectsTheDocumentation) {
  BasketOptions options;
  OptionLister lister;
  options.describe(lister);
  ASSERT_EQ(lister.docs().size(), 11U);
  const OptionDoc& count = lister.docs()[0];
  EXPECT_EQ(count.key, "count");
  EXPECT_EQ(count.type, "integer");
  EXPECT_EQ(count.default_value, "3");
  EXPECT_EQ(count.range, "1 to 10");
  EXPECT_EQ(count.meaning, "how many");
  EXPECT_EQ(lister.docs()[1].range, ">= 0");
  EXPECT_EQ(lister.docs()[4].range, "red, green");
  EXPECT_EQ(lister.docs()[6].type, "fruit");
  EXPECT_EQ(lister.docs()[7].key, "lid.material");
  EXPECT_EQ(lister.docs()[8].key, "gifts.NAME");
  EXPECT_EQ(lister.docs()[8].default_value, "large = \"apple\"");
  EXPECT_EQ(lister.docs()[9].key, "gifts.NAME.card");
  EXPECT_EQ(lister.docs()[9].meaning, "what is written on it");
  EXPECT_EQ(lister.docs()[10].type, "list of texts");
  EXPECT_EQ(lister.docs()[10].default_value, "[\"fresh\"]");
}

TEST(Options, TextsOfValuesAreToml) {
  EXPECT_EQ(to_text(true), "true");
  EXPECT_EQ(to_text(std::int64_t{-3}), "-3");
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(2.0), "2.0");
  EXPECT_EQ(to_text(1e300), "1e+300");
  EXPECT_EQ(to_text(std::string("a\"b\\c\n")), "\"a\\\"b\\\\c\\u000A\"");
  EXPECT_EQ(to_text(std::vector<double>{1, 0.5}), "[1.0, 0.5]");
  EXPECT_EQ(to_text(std::vector<std::string>{"x", "y"}), "[\"x\", \"y\"]");
}

TEST(Registry, FindsByName) {
  EXPECT_EQ(fruits().kind(), "fruit");
  EXPECT_EQ(fruits().entry("pear").summary, "less round");
  EXPECT_EQ(fruits().at("pear").make({}).size, 1);
  std::vector<std::string> names;
  for (const RegistryEntry* entry : fruits().entries()) names.push_back(entry->name);
  EXPECT_THAT(names, ElementsAre("apple", "pear"));
}

TEST(Registry, UnknownNamesPrintTheKnownOnes) {
  try {
    fruits().at("plum");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "fruit: expected one of apple, pear; found 'plum'");
  }
}

TEST(Nearest, IsTheClosestWithinReason) {
  const std::vector<std::string> known{"learning_rate", "rounds", "seed"};
  EXPECT_EQ(nearest("learning_rat", known), "learning_rate");
  EXPECT_EQ(nearest("sed", known), "seed");
  EXPECT_EQ(nearest("round", known), "rounds");
  EXPECT_EQ(nearest("qwertyuiop", known), "");
  EXPECT_EQ(nearest("x", {}), "");
}

}  // namespace
}  // namespace paretofl
