#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "paretofl/mathematics/math_answer.h"

namespace paretofl {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

void expect_same(const Pairs& pairs) {
  for (const auto& [a, b] : pairs) {
    EXPECT_TRUE(same_math_answer(a, b)) << a << " is " << b;
    EXPECT_TRUE(same_math_answer(b, a)) << b << " is " << a;
  }
}

void expect_different(const Pairs& pairs) {
  for (const auto& [a, b] : pairs) {
    EXPECT_FALSE(same_math_answer(a, b)) << a << " is not " << b;
    EXPECT_FALSE(same_math_answer(b, a)) << b << " is not " << a;
  }
}

TEST(ExactAnswers, PartDigitsInGroups) {
  expect_same({{"326,000", "326000"},
               {"326{,}000", "326000"},
               {"326\\,000", "326000"},
               {"326\\!,000", "326000"},
               {"326,\\!000", "326,000"},
               {"\\$326,000", "326000"},
               {"2,345,678.25", "2345678.25"},
               {"(4,000, 7)", "(4000,7)"},
               {"(4{,}000,7)", "(4000, 7)"},
               {"\\{4,500; 7\\}", "\\{7, 4500\\}"},
               {"\\frac{4,500}{7}", "\\frac{4500}{7}"},
               {"(200,300)", "(200, 300)"},
               {"5,6", "6,5"},
               {"5, 600", "600, 5"}});
  expect_different({{"326,000", "0, 326"},
                    {"326,000", "326, 0"},
                    {"61,328", "328, 61"},
                    {"326,000", "326"},
                    {"(200,300)", "200300"},
                    {"5,6", "56"},
                    {"4.000", "4000"},
                    {"4,000", "4"}});
}

TEST(ExactAnswers, HaveNoTolerance) {
  expect_different({{"10^9\\pi", "10^9\\pi+1"},
                    {"10^{12}\\sqrt2", "10^{12}\\sqrt2+1"},
                    {"3.14159265358979", "\\pi"},
                    {"3.141592653589793238", "\\pi"},
                    {"\\frac{355}{113}", "\\pi"},
                    {"1.414213562373095", "\\sqrt2"},
                    {"2.718281828459045", "e"},
                    {"0.6666666666666667", "\\frac23"},
                    {"10^{30}", "10^{30}+1"},
                    {"\\sqrt{10^{40}+1}", "10^{20}"},
                    {"3^{90}", "3^{90}-1"},
                    {"x", "x+10^{-15}"},
                    {"x^{2000}", "x^{2001}"},
                    {"e^{\\pi\\sqrt{163}}", "262537412640768744"},
                    {"\\sqrt2+\\sqrt3", "3.1462643699419723"}});
}

TEST(ExactAnswers, MayBeCommutedOrWorkedOut) {
  expect_same({{"\\sin^2 x+\\cos y", "\\cos y+\\sin^2(x)"},
               {"\\ln(3)", "\\ln 3"},
               {"\\ln{3}", "\\ln\\left(3\\right)"},
               {"\\sin^{2}t", "(\\sin t)^2"},
               {"\\cos a\\sin b", "\\sin b \\cos a"},
               {"e^x\\ln x", "\\ln(x) e^{x}"},
               {"2\\sin x\\cos x", "2\\cos x\\sin x"},
               {"\\frac{\\sin x}{x}", "\\frac1x\\sin x"},
               {"\\tan x", "\\frac{\\sin x}{\\cos x}"},
               {"\\frac{\\ln 5}{\\ln 2}", "\\log_2 5"},
               {"\\log_{10} 100000", "5"},
               {"3\\ln 2", "\\ln 8"},
               {"\\log 2+\\log 5", "\\log 10"},
               {"6!", "720"},
               {"6!!", "48"},
               {"\\frac{n!}{3}", "\\frac13 n!"},
               {"\\binom{7}{3}", "35"},
               {"{7 \\choose 3}", "\\tbinom73"},
               {"|-8|", "8"},
               {"\\left|-8\\right|", "\\lvert 8 \\rvert"},
               {"|x-2|", "|2-x|"},
               {"|5+12i|", "13"},
               {"\\lfloor -2.5 \\rfloor", "-3"},
               {"\\left\\lceil \\frac{7}{3} \\right\\rceil", "3"},
               {"\\lfloor\\pi^2\\rfloor", "9"},
               {"2^{90}", "1237940039285380274899124224"},
               {"2^90", "2^{90}"},
               {"1.5\\times10^6", "1{,}500{,}000"},
               {"2.5\\cdot 10^{-2}", "0.025"},
               {"4E-3", "0.004"},
               {"1.5e6", "1.5\\times 10^{6}"},
               {"0.\\overline{27}", "\\frac{3}{11}"},
               {"1.2\\overline{34}", "\\frac{611}{495}"},
               {"0.\\dot6", "2/3"},
               {"0.\\dot{1}4285\\dot{7}", "\\frac17"},
               {"1.0e-3", "0.001"},
               {"1.5 x 10^6", "1500000"},
               {"-\\ln|\\cos x|+C", "C-\\ln|\\cos x|"},
               {"\\frac{-b+\\sqrt{b^2-4ac}}{2a}", "\\frac{\\sqrt{b^2-4ac}-b}{2a}"},
               {"\u00be", "0.75"},
               {"2\u00bd", "5/2"},
               {"\\frac{1}{1+\\sqrt2}", "\\sqrt2-1"},
               {"\\sqrt{7+4\\sqrt3}", "2+\\sqrt3"},
               {"\\sqrt[3]{24}", "2\\sqrt[3]3"},
               {"\\sin 60^\\circ", "\\frac{\\sqrt3}{2}"},
               {"\\cos\\frac{\\pi}{5}", "\\frac{1+\\sqrt5}{4}"},
               {"\\sin 15^\\circ", "\\frac{\\sqrt6-\\sqrt2}{4}"},
               {"\\sin 75^\\circ", "\\frac{\\sqrt6+\\sqrt2}{4}"},
               {"\\tan 15^\\circ", "2-\\sqrt3"},
               {"\\sin 18^\\circ", "\\frac{\\sqrt5-1}{4}"},
               {"\\sin 36^\\circ", "\\frac{\\sqrt{10-2\\sqrt5}}{4}"},
               {"\\sin 72^\\circ", "\\frac{\\sqrt{10+2\\sqrt5}}{4}"},
               {"\\cos\\frac{9\\pi}{7}", "-\\cos\\frac{2\\pi}{7}"},
               {"\\sin\\frac{5\\pi}{14}", "\\cos\\frac{\\pi}{7}"},
               {"\\arctan\\sqrt3", "\\frac{\\pi}{3}"},
               {"\\arccos(-\\frac12)", "\\frac{2\\pi}{3}"},
               {"\\sqrt[3]{-27}", "-3"},
               {"\\sqrt{2i}", "1+i"},
               {"\\cosh 0", "1"},
               {"\\cis 90^\\circ", "i"},
               {"\\sin^{-1}\\frac12", "\\frac{\\pi}{6}"},
               {"e^{i\\pi}+1", "0"},
               {"2^{x+1}", "2\\cdot2^x"},
               {"f(x+1)", "f(1+x)"},
               {"\\gcd(24,36)", "12"},
               {"\\max(2,5)", "5"},
               {"2xyz", "2zyx"},
               {"10\u00b9\u00b2", "10^{12}"},
               {"10\u207b\u00b3", "0.001"},
               {"\u221a12", "2\\sqrt3"},
               {"2**10", "1024"},
               {"2 sec x", "2\\sec x"},
               {"\\underline{8}\\hspace{1cm}", "8"},
               {"17+8=25", "25"},
               {"x=3+4=7", "7"}});
  expect_different({{"\\sin^2 x", "\\sin x^2"},
                    {"\\sin x", "\\cos x"},
                    {"\\ln 2x", "2\\ln x"},
                    {"6!", "6!!"},
                    {"\\binom73", "\\binom72"},
                    {"|-8|", "-8"},
                    {"|x|", "x"},
                    {"\\lfloor 2.5\\rfloor", "3"},
                    {"0.\\overline{3}", "0.3"},
                    {"0.\\overline{12}", "0.1\\overline{2}"},
                    {"\\sqrt{x^2}", "x"},
                    {"\\ln(x^2)", "2\\ln x"},
                    {"\\sqrt{xy}", "\\sqrt{x}\\sqrt{y}"},
                    {"\\log 1000", "\\ln 1000"},
                    {"\\log_2 3", "\\log_3 2"},
                    {"f(2)", "2f"},
                    {"f(1)+f(2)", "f(3)"},
                    {"\\infty-\\infty", "0"},
                    {"\\frac{1}{0}", "\\frac{2}{0}"},
                    {"0^0", "1"},
                    {"(-1)^{10000001}", "1"},
                    {"2e-1", "0.2"},
                    {"10\u00b9\u00b2", "10"},
                    {"\u221a12", "2"},
                    {"2xyz", "2XYZ"},
                    {"1+1=3", "3"}});
}

TEST(ExactAnswers, HaveUnitsOfAList) {
  expect_same({{"12\\text{ m/s}", "12"},
               {"12 m/s", "12\\,\\text{m}/\\text{s}"},
               {"9.81\\,\\mathrm{m/s^2}", "9.81\\text{ meters per second squared}"},
               {"80 km/h", "80\\text{ kilometers per hour}"},
               {"55\\text{ mph}", "55 miles per hour"},
               {"7\\text{ cm}^2", "7 square centimeters"},
               {"7 cm^2", "7\\text{ sq cm}"},
               {"7\\text{ cubic feet}", "7\\text{ ft}^3"},
               {"\\pounds7", "\u00a37"},
               {"\u20ac7", "7\\text{ euros}"},
               {"\\$7.50", "7.5 dollars"},
               {"70\\%", "70"},
               {"70 percent", "70\\%"},
               {"60^{\\circ}", "60 degrees"},
               {"7\\text{ pears}", "7"},
               {"7\\text{ different ways}", "7"},
               {"3\\text{ million}", "3,000,000"},
               {"3 million dollars", "\\$3{,}000{,}000"},
               {"4 dozen", "48"},
               {"6\\text{ ft }2\\text{ in}", "6 feet 2 inches"},
               {"20^\\circ\\text{C}", "20 degrees Celsius"},
               {"7\\text{ m s}^{-1}", "7\\text{ m/s}"},
               {"7\\,\\frac{\\text{m}}{\\text{s}}", "7 m/s"},
               {"\\$7\\text{ per hour}", "\\$7/\\text{hour}"},
               {"7\\text{ kg}\\cdot\\text{m/s}^2", "7"},
               {"7\\text{ cm and 8 cm}", "8, 7"}});
  expect_different({{"3\\text{ million}", "3"},
                    {"3\\text{ million}", "3\\text{ billion}"},
                    {"14\\text{ July}", "14\\text{ June}"},
                    {"14 July", "14"},
                    {"3\\mathrm{lcm}(4,6)", "3(4,6)"},
                    {"3\\operatorname{lcm}(4,6)", "3\\gcd(4,6)"},
                    {"n\\text{ even}", "n\\text{ odd}"},
                    {"n\\text{ is prime}", "n\\text{ is composite}"},
                    {"7\\text{ cm}", "7\\text{ m}"},
                    {"7\\text{ cm}", "7\\text{ cm}^2"},
                    {"\\$7", "7\\text{ cents}"},
                    {"55\\text{ mph}", "55\\text{ km/h}"},
                    {"70\\%", "0.7"},
                    {"6\\text{ feet }2\\text{ inches}", "8"},
                    {"7\\text{ North}", "7\\text{ South}"},
                    {"7\\text{ or more}", "7"},
                    {"\\text{at least }7", "\\text{at most }7"},
                    {"7\\text{ percent less}", "7"},
                    {"7\\text{ of them}", "7"},
                    {"2 root 3", "6"},
                    {"7m", "7"},
                    {"20^\\circ\\text{C}", "20^\\circ F"},
                    {"7\\text{ miles east}", "7"},
                    {"7\\text{ miles east}", "7\\text{ miles west}"},
                    {"3\\mathrm{i}", "3"},
                    {"3\\text{e}", "3"}});
}

TEST(ExactAnswers, DescribeSetsOfNumbers) {
  expect_same({{"x>4", "(4,\\infty)"},
               {"x\\ge4", "[4,\\infty)"},
               {"4<x", "(4, \\infty)"},
               {"t<-1", "(-\\infty,-1)"},
               {"1<x\\le 4", "(1,4]"},
               {"4 > x \\geq 1", "[1,4)"},
               {"x\\in(1,4]", "1<x\\leq4"},
               {"x<1 \\text{ or } x>4", "(-\\infty,1)\\cup(4,\\infty)"},
               {"x\\ne4", "(-\\infty,4)\\cup(4,\\infty)"},
               {"\\emptyset", "\\{\\}"},
               {"x>1 \\text{ and } x<4", "(1,4)"},
               {"t\\le\\frac52 \\text{ and } 1<t", "1<t\\leq2.5"},
               {"x\\in\\{3,5\\}", "\\{5,3\\}"},
               {"\\mathbb{R}", "(-\\infty,\\infty)"},
               {"x\\in\\mathbb R", "\\mathbb{R}"},
               {"\\pm\\sqrt3", "\\sqrt3,-\\sqrt3"},
               {"x=\\pm5", "\\{-5,5\\}"},
               {"2<x<\\frac52", "(2, 2.5)"}});
  expect_different({{"x>4", "x\\ge4"},
                    {"x>4", "[4,\\infty)"},
                    {"x>4", "(-\\infty,4)"},
                    {"x>4", "y>4"},
                    {"x>4", "4"},
                    {"x<1 \\text{ or } x>4", "(1,4)"},
                    {"x<1 \\text{ and } x>4", "(-\\infty,1)\\cup(4,\\infty)"},
                    {"x>1 \\text{ and } y<4", "(1,4)"},
                    {"x\\in(1,4]", "1<y\\leq4"},
                    {"x<y", "(-\\infty,x)"},
                    {"\\emptyset", "0"},
                    {"\\emptyset", "\\{0\\}"},
                    {"\\{1,2\\}", "\\{1,2,3\\}"},
                    {"(1,2)", "[1,2]"},
                    {"(1,2)", "1,2"},
                    {"\\{(1,2)\\}", "\\{(2,1)\\}"}});
}

TEST(ExactAnswers, CompareUnknownTextAsText) {
  expect_same({{"\\text{March } 7", "March 7"},
               {"P \\implies Q", "P\\implies Q"},
               {"3 \\pmod{11}", "3\\pmod{11}"},
               {"\\angle ABC", "\\angle ABC"},
               {"\\text{Area}=6", "6"},
               {"\\frac{\\text{Area}}{2}", "\\frac12\\text{Area}"},
               {"x = \\frac12 \\text{ if } n = 2+1", "x=0.5\\text{ if }n=3"},
               {"5:2", "5 : 2"},
               {"March 7", "\\text{march }7"}});
  expect_different({{"\\text{March } 7", "\\text{April } 7"},
                    {"P \\implies Q", "Q \\implies P"},
                    {"3 \\pmod{11}", "3"},
                    {"\\neg p", "p"},
                    {"\\text{BE}", "\\text{EB}"},
                    {"\\text{no}", "\\text{on}"},
                    {"\\overline{AB}", "\\overline{CD}"},
                    {"\\vec{a}", "\\vec{b}"},
                    {"f'(x)=3", "f(x)=3"},
                    {"5:2", "2:5"},
                    {"5:2", "\\frac52"},
                    {"10:00", "1:00"},
                    {"\\forall x, f(x)=0", "f(x)=0"}});
}

}  // namespace
}  // namespace paretofl
