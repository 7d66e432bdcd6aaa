#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace paretofl {

/// What the server looks at of a request.
struct HttpRequest {
  std::string method;
  std::string path;                          ///< decoded
  std::map<std::string, std::string> query;  ///< decoded; of several values for a name one
  std::string host;                          ///< fields of the head; empty where absent
  std::string authorization;
  std::string last_event_id;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::shared_ptr<const std::string> body;                   ///< unless there is a stream
  std::function<std::optional<std::string>()> stream;        ///< waits for the next part; nothing ends the answer
  std::vector<std::pair<std::string, std::string>> headers;  ///< further ones
};

}  // namespace paretofl
