// What clang++ reads before LibTorch 1.13's headers. They declare a std::vector of c10::IValue where that class is not complete yet. In
// C++20 that is an error with clang++, which instantiates constexpr members of std::vector there. So with the standard library of g++ 12
// the algorithms and std::vector are not constexpr in these files; what is read in between would not compile without it.
#include <bits/stl_iterator.h>
#include <tuple>
#include <utility>
#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#include <algorithm>
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")
#include <memory>
#include <string>
#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#include <vector>
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")
