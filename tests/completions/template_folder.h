#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace paretofl {

/// A folder whose tokenizer_config.json has a chat template.
inline std::filesystem::path folder_with_template(const std::string& name, const std::string& published, const std::string& end) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("template_" + name);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "tokenizer_config.json") << nlohmann::json{{"chat_template", published}, {"eos_token", end}};
  return folder;
}

/// What a template of the family chatml has for its turns.
inline std::string chatml_turns() {
  return "{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}{{ '<|im_start|>assistant\\n' }}";
}

}  // namespace paretofl
