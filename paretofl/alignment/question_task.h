#pragma once

#include <string>
#include <vector>

#include "paretofl/alignment/completion_task.h"

namespace paretofl {

/// Questions of one kind of task, with named rewards; the first of them is the task's accuracy. Objectives are the rewards.
class QuestionTask : public CompletionTask {
 public:
  virtual const std::string& label() const = 0;                      ///< of the kind of task
  virtual const std::vector<std::string>& reward_names() const = 0;  ///< [K]

  /// Questions of the same kind that nobody trains on, judged by the same rewards; null: none.
  virtual const QuestionTask* held_out() const = 0;
};

}  // namespace paretofl
