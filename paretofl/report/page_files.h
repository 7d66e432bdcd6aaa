#pragma once

#include <string_view>

namespace paretofl {

/// The files a report page is made of, embedded at build time by embed.cmake.
std::string_view page_html();
std::string_view page_css();
std::string_view page_js();   ///< all of the page's own scripts
std::string_view live_js();   ///< what `paretofl serve` adds to them
std::string_view paper_js();  ///< the document that the scripts get where there is no browser
std::string_view chart_js();

}  // namespace paretofl
