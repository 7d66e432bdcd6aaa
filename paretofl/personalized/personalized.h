#pragma once

#include "paretofl/aggregators/model_mixer.h"
#include "paretofl/local/local_training.h"
#include "paretofl/rounds/strategy.h"

namespace paretofl {

/// The options of all personalized strategies.
struct PersonalizedOptions {
  LocalTrainingOptions local;
  bool fine_tune = false;

  void describe(OptionVisitor& visit);
};

/// One model per client (FedPref, Section 3.1): in every round each client trains its own model under its private
/// preference, which never leaves it, and sends the model back; then `mixer` averages the models. With
/// `fine_tune` (the variants "+FT") the run's models are those after the last local training, before they were mixed: as
/// if training had ended with a local training, whichever round is the last. The global parameters are the mean of the
/// run's models.
Strategy make_personalized(const PersonalizedOptions& options, std::unique_ptr<ModelMixer> mixer, const Workload& workload);

}  // namespace paretofl
