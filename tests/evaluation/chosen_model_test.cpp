#include "paretofl/evaluation/chosen_model.h"

#include <gmock/gmock.h>

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::vector<std::string> kObjectives = {"left", "right"};

std::map<Split, ModelEvaluation> evaluated(double validation, double test) {
  std::map<Split, ModelEvaluation> evaluations;
  evaluations[Split::kValidation].mean = {{{"score", {validation, -validation}}}, {{"accuracy", validation}}, {}};
  evaluations[Split::kTest].mean = {{{"score", {test, -test}}}, {{"accuracy", test}}, {}};
  return evaluations;
}

void offer(ChosenModel& model, std::int64_t round, double validation, double test) {
  const auto theta = static_cast<float>(round);
  model.offer(round, std::vector{theta, theta}, evaluated(validation, test), kObjectives);
}

TEST(ChosenModel, IsTheFirstWithTheLargestValidationFigure) {
  ChosenModel model("accuracy");
  EXPECT_FALSE(model.chosen());
  offer(model, 2, 0.3, 0.9);
  offer(model, 4, 0.5, 0.1);
  offer(model, 6, 0.5, 0.8);
  offer(model, 8, 0.4, 0.7);
  EXPECT_THAT(model.theta(), ElementsAre(4, 4));
  EXPECT_EQ(model.summary()["round"], 4);
  EXPECT_EQ(model.summary()["validation"], 0.5);
  EXPECT_EQ(model.summary()["overall"]["accuracy"], 0.1);
  EXPECT_EQ(model.summary()["test"]["score"]["right"], -0.1);
}

TEST(ChosenModel, MayLookAtOneObjective) {
  ChosenModel model("score/right");
  offer(model, 1, 0.5, 0);
  offer(model, 2, 0.25, 0);
  EXPECT_EQ(model.summary()["round"], 2);
}

TEST(ChosenModel, OfLossesIsTheLeast) {
  for (const char* figure : {"loss", "loss/left", "rmse/price", "stationarity", "kl"}) {
    ChosenModel model(figure);
    std::int64_t round = 0;
    for (const double loss : {0.5, 0.25, 0.25, 0.75}) {
      std::map<Split, ModelEvaluation> evaluations;
      evaluations[Split::kValidation].mean = {{}, {{figure, loss}}, {}};
      if (figure == std::string("loss/left")) evaluations[Split::kValidation].mean = {{{"loss", {loss, 0}}}, {}, {}};
      model.offer(++round, std::vector{0.0F}, evaluations, kObjectives);
    }
    EXPECT_EQ(model.summary()["round"], 2) << figure;
  }
}

TEST(ChosenModel, IsNoneWhoseFigureIsNotANumber) {
  ChosenModel model("accuracy");
  offer(model, 1, std::nan(""), 0);
  EXPECT_FALSE(model.chosen());
  offer(model, 2, -0.5, 0);
  offer(model, 3, std::nan(""), 0);
  EXPECT_EQ(model.summary()["round"], 2);
}

TEST(ChosenModel, WithoutAFigureChoosesNone) {
  ChosenModel model("");
  offer(model, 1, 0.5, 0);
  EXPECT_FALSE(model.chosen());
}

TEST(ChosenModel, GoesOnFromASavedState) {
  ChosenModel first("accuracy");
  offer(first, 1, 0.5, 0.25);
  ChosenModel second("accuracy");
  second.load(first.save(), 2);
  offer(second, 2, 0.4, 0);
  EXPECT_EQ(second.summary(), first.summary());
  EXPECT_THAT(second.theta(), ElementsAre(1, 1));
  EXPECT_THAT([&] { second.load(first.save(), 3); }, ThrowsMessage<Error>(HasSubstr("3")));
  ChosenModel none("accuracy");
  none.load(ChosenModel("accuracy").save(), 2);
  EXPECT_FALSE(none.chosen());
}

TEST(ChosenModel, UnknownFiguresAreNamed) {
  const auto by = [](const std::string& figure) {
    return [figure] {
      ChosenModel model(figure);
      offer(model, 1, 0.5, 0);
    };
  };
  const auto says = HasSubstr("expected a validation figure such as accuracy score/left, found");
  for (const char* figure : {"loss", "score", "score/middle", "/left"}) EXPECT_THAT(by(figure), ThrowsMessage<Error>(says)) << figure;
}

}  // namespace
}  // namespace paretofl
