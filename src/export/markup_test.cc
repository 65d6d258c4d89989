// SPDX-License-Identifier: Apache-2.0
#include "export/markup.h"

#include <gtest/gtest.h>

namespace gpusight::exporting {
namespace {

TEST(Markup, HostileTextIsNoMarkdown) {
  EXPECT_EQ(MarkdownSafe("<b>|`*\n"), "&lt;b&gt;\\|\\`\\* ");
  EXPECT_EQ(MarkdownSafe("say \"a & b\""), "say \"a &amp; b\"");
}

TEST(Markup, HostileTextIsNoHtml) {
  std::string out = "<p>";
  AppendHtmlSafe(out, "<b class=\"x\"> & *");
  EXPECT_EQ(out, "<p>&lt;b class=&quot;x&quot;&gt; &amp; *");
}

}  // namespace
}  // namespace gpusight::exporting
