#include "paretofl/text/text_documents.h"

#include <gmock/gmock.h>

namespace paretofl {
namespace {

TEST(TextDocuments, AreSeparatedByBlankLines) {
  EXPECT_THAT(text_documents("a\nb\n\nc\n\n\n\nd\n"), testing::ElementsAre("a\nb", "c", "d\n"));
  EXPECT_THAT(text_documents("\n\na"), testing::ElementsAre("a"));
  EXPECT_THAT(text_documents("\n\n\n"), testing::IsEmpty());
  EXPECT_THAT(text_documents(""), testing::IsEmpty());
}

TEST(TextDocuments, ReadOtherLineEndsAndAByteOrderMark) {
  EXPECT_THAT(text_documents("\xEF\xBB\xBF"
                             "a\r\nb\r\n\r\nc\r\n \t\r\nd"),
              testing::ElementsAre("a\nb", "c", "d"));
  EXPECT_THAT(text_documents("a \n  \n  b\rc"), testing::ElementsAre("a ", "  b\rc")) << "lines that say something stay as they are";
}

}  // namespace
}  // namespace paretofl
