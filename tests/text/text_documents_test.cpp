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

}  // namespace
}  // namespace paretofl
