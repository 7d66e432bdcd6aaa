# Writes OUTPUT, a C++ source that holds the text of FILES for paretofl/report/page_files.h, in that
# order: page.html, page.css, charts.js, objective_charts.js, client_charts.js, page.js, live.js, Chart.js. Web addresses in Chart.js' licence comment lose their
# scheme, so that a report holds no address at all.
set(NAMES page_html page_css charts_js objective_charts_js client_charts_js page_js live_js chart_js)
set(SOURCE "#include \"paretofl/report/page_files.h\"\n\nnamespace paretofl {\n\n")
foreach(NAME FILE IN ZIP_LISTS NAMES FILES)
  file(READ ${FILE} TEXT)
  string(REPLACE "https://" "" TEXT "${TEXT}")
  string(APPEND SOURCE "std::string_view ${NAME}() {\n  return R\"~file~(${TEXT})~file~\";\n}\n\n")
endforeach()
string(APPEND SOURCE "}  // namespace paretofl\n")
file(WRITE ${OUTPUT} "${SOURCE}")
