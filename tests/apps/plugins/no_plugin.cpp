// A shared library that is no plugin.
extern "C" int paretofl_nothing() { return 0; }
