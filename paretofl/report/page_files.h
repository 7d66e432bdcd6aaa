#pragma once

#include <string_view>

namespace paretofl {

/// The files a report page is made of, embedded at build time by embed.cmake.
std::string_view page_html();
std::string_view page_css();
std::string_view charts_js();
std::string_view objective_charts_js();
std::string_view client_charts_js();
std::string_view page_js();
std::string_view live_js();
std::string_view chart_js();

}  // namespace paretofl
