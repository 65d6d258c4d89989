// SPDX-License-Identifier: Apache-2.0
#include "tui/layout.h"

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

namespace gpusight::tui {
namespace {

std::string Describe(const LayoutInput& input) {
  std::ostringstream out;
  out << input.size.width << "x" << input.size.height << ", " << input.devices.size()
      << " devices from " << input.first_device << ", " << input.process_rows << " rows"
      << (input.banner ? ", banner" : "") << (input.page ? ", page" : "")
      << (input.footer_needed ? ", footer" : "");
  return out.str();
}

std::vector<Rect> AllOf(const Layout& layout) {
  std::vector<Rect> all = {layout.header,     layout.banner,        layout.device_heading,
                           layout.no_devices, layout.table_heading, layout.table,
                           layout.footer,     layout.page};
  for (const DeviceSlot& slot : layout.devices) all.push_back(slot.area);
  return all;
}

// Empty when the layout is sound.
std::string Fault(const LayoutInput& input) {
  const Layout layout = ComputeLayout(input);
  const Rect screen = {0, 0, input.size.width, input.size.height};
  const std::vector<Rect> all = AllOf(layout);
  int cells = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].empty()) continue;
    if (Clip(all[i], screen) != all[i]) return "sticks out";
    for (size_t j = 0; j < i; ++j) {
      if (Overlap(all[i], all[j])) return "overlaps";
    }
    cells += all[i].width * all[i].height;
  }
  for (const DeviceSlot& slot : layout.devices) {
    if (slot.area.empty()) return "has an empty device";
  }
  if (Clip(layout.dialog, screen) != layout.dialog) return "has a dialog that sticks out";
  if (cells == 0) return "is empty";
  if (input.page) return layout.page.empty() && input.size.height > 3 ? "lacks its page" : "";
  if (!input.devices.empty() && layout.devices.empty()) return "shows no device";
  if (layout.devices.size() > input.devices.size()) return "invents devices";
  if (input.size.height >= 6 && layout.table.empty()) return "has no table";
  if (input.size.height >= 8 && (layout.footer.empty() || layout.header.empty())) {
    return "lacks header or footer";
  }
  return "";
}

LayoutInput Input(int width, int height, int devices, int rows) {
  LayoutInput input;
  input.size = {width, height};
  input.devices.resize(static_cast<size_t>(devices));
  std::iota(input.devices.begin(), input.devices.end(), size_t{0});
  input.process_rows = rows;
  return input;
}

TEST(Layout, IsSoundForEverySizeAndEveryMachine) {
  for (const int width : {1, 2, 3, 7, 20, 40, 59, 60, 80, 100, 120, 121, 122, 181, 200, 243, 500}) {
    for (int height = 1; height <= 200; ++height) {
      for (int devices = 0; devices <= 16; ++devices) {
        for (const int rows : {0, 1, 3, 40, 1000}) {
          const LayoutInput input = Input(width, height, devices, rows);
          ASSERT_EQ(Fault(input), "") << Describe(input);
        }
      }
    }
  }
}

TEST(Layout, IsSoundWithBannerFooterPageAndDialog) {
  for (const int width : {1, 10, 80, 300}) {
    for (int height = 1; height <= 60; ++height) {
      for (const int devices : {0, 1, 3, 16}) {
        for (int flags = 0; flags < 8; ++flags) {
          LayoutInput input = Input(width, height, devices, 12);
          input.banner = (flags & 1) != 0;
          input.footer_needed = (flags & 2) != 0;
          input.page = (flags & 4) != 0;
          input.dialog = {70, 20};
          input.first_device = 999;
          ASSERT_EQ(Fault(input), "") << Describe(input);
        }
      }
    }
  }
}

TEST(Layout, NoScreenHasNothing) {
  for (const Rect& area : AllOf(ComputeLayout(Input(0, 0, 2, 2)))) EXPECT_TRUE(area.empty());
}

TEST(Layout, ATwentyByFiveScreenStillHasADeviceAndProcesses) {
  const Layout layout = ComputeLayout(Input(20, 5, 16, 1000));
  EXPECT_EQ(layout.devices.size(), 1u);
  EXPECT_EQ(layout.table.height, 2);
}

TEST(Layout, DevicesThatDoNotFitScroll) {
  LayoutInput input = Input(80, 12, 16, 30);
  input.first_device = 5;
  const Layout layout = ComputeLayout(input);
  EXPECT_LT(layout.devices.size(), 16u);
  EXPECT_EQ(layout.devices.front().device, 5u);
}

TEST(Layout, ABannerTakesALineAndNotTheTable) {
  LayoutInput input = Input(80, 24, 1, 5);
  input.banner = true;
  const Layout layout = ComputeLayout(input);
  EXPECT_EQ(layout.banner, (Rect{0, 1, 80, 1}));
  EXPECT_GE(layout.table.height, 2);
}

TEST(Layout, WideScreensPutDevicesSideBySide) {
  const Layout layout = ComputeLayout(Input(200, 60, 8, 40));
  ASSERT_EQ(layout.devices.size(), 8u);
  EXPECT_EQ(layout.devices[0].area.y, layout.devices[1].area.y);
  EXPECT_GE(layout.devices[0].area.height, kChartPanelHeight);
}

}  // namespace
}  // namespace gpusight::tui
