// SPDX-License-Identifier: Apache-2.0
#include "tui/keys.h"

#include <array>
#include <map>
#include <utility>

#include "base/text.h"

namespace gpusight::tui {
namespace {

// clang-format off
constexpr Binding kBindings[] = {
    {Action::kHelp, "h ? F1", Text("this help", "显示此帮助")},
    {Action::kUp, "Up", Text("select the process above", "选中上一个进程")},
    {Action::kDown, "Down", Text("select the process below", "选中下一个进程")},
    {Action::kPageUp, "PgUp", Text("one page up", "向上翻页")},
    {Action::kPageDown, "PgDn", Text("one page down", "向下翻页")},
    {Action::kHome, "Home", Text("to the first", "跳到第一个")},
    {Action::kEnd, "End", Text("to the last", "跳到最后一个")},
    {Action::kLeft, "Left", Text("scroll the command to its beginning", "将命令滚动回开头")},
    {Action::kRight, "Right", Text("scroll the command to its end", "向命令末尾滚动")},
    {Action::kProcessDetails, "Enter", Text("everything about the selected process", "查看选中进程的全部信息")},
    {Action::kDeviceDetails, "i", Text("everything about the GPU, and why values are missing", "查看 GPU 的全部信息以及缺失数值的原因")},
    {Action::kFocusNext, "d Tab", Text("only one GPU: the next one, then all again", "只看一个 GPU：依次切换，最后恢复全部")},
    {Action::kSearch, "/ F3", Text("search", "搜索")},
    {Action::kNextMatch, "n", Text("next match", "下一个匹配项")},
    {Action::kPreviousMatch, "N", Text("previous match", "上一个匹配项")},
    {Action::kFilter, "\\ F4", Text("show only processes that match", "只显示匹配的进程")},
    {Action::kTree, "t F5", Text("tree of parents and children", "按父子关系显示为树")},
    {Action::kAll, "a", Text("also relatives that use no GPU", "同时显示未使用 GPU 的父子进程")},
    {Action::kSort, "s F6", Text("choose the column to sort by", "选择排序列")},
    {Action::kReverse, "r", Text("reverse the order", "反转排序方向")},
    {Action::kColumns, "c", Text("choose the columns", "选择显示的列")},
    {Action::kSignal, "k F9", Text("send a signal to the selected process", "向选中的进程发送信号")},
    {Action::kPause, "p Space", Text("pause the screen; sampling goes on", "暂停画面，采样继续")},
    {Action::kFaster, "+ =", Text("frames more often", "提高采样频率")},
    {Action::kSlower, "-", Text("frames less often", "降低采样频率")},
    {Action::kSpanShorter, "]", Text("charts of a shorter time", "缩短图表时间跨度")},
    {Action::kSpanLonger, "[", Text("charts of a longer time", "延长图表时间跨度")},
    {Action::kRedraw, "Ctrl-L", Text("draw the whole screen again", "重绘整个屏幕")},
    {Action::kSuspend, "Ctrl-Z", Text("suspend", "挂起")},
    {Action::kBack, "Esc", Text("close, clear search and filter, show all GPUs", "关闭、清除搜索与过滤、显示全部 GPU")},
    {Action::kQuit, "q F10 Ctrl-C", Text("quit", "退出")},
};

constexpr Binding kPlaybackBindings[] = {
    {Action::kPause, "p Space", Text("stop, and go on", "暂停与继续")},
    {Action::kFaster, "+ =", Text("play faster", "加快播放")},
    {Action::kSlower, "-", Text("play slower", "减慢播放")},
    {Action::kStepBack, ",", Text("10 seconds back", "后退 10 秒")},
    {Action::kStepForward, ".", Text("10 seconds on", "前进 10 秒")},
    {Action::kSkipBack, "<", Text("a minute back", "后退 1 分钟")},
    {Action::kSkipForward, ">", Text("a minute on", "前进 1 分钟")},
    {Action::kLeapBack, "{", Text("10 minutes back", "后退 10 分钟")},
    {Action::kLeapForward, "}", Text("10 minutes on", "前进 10 分钟")},
};
// clang-format on

constexpr std::array<std::pair<std::string_view, KeyCode>, 12> kNames = {{
    {"Up", KeyCode::kUp},
    {"Down", KeyCode::kDown},
    {"Left", KeyCode::kLeft},
    {"Right", KeyCode::kRight},
    {"PgUp", KeyCode::kPageUp},
    {"PgDn", KeyCode::kPageDown},
    {"Home", KeyCode::kHome},
    {"End", KeyCode::kEnd},
    {"Enter", KeyCode::kEnter},
    {"Esc", KeyCode::kEscape},
    {"Tab", KeyCode::kTab},
    {"Backspace", KeyCode::kBackspace},
}};

}  // namespace

std::span<const Binding> Bindings() { return kBindings; }
std::span<const Binding> PlaybackBindings() { return kPlaybackBindings; }

std::optional<Key> ParseKey(std::string_view name) {
  for (const auto& [word, code] : kNames) {
    if (word == name) return Key{code, 0, 0};
  }
  if (name == "Space") return Key{KeyCode::kCharacter, U' ', 0};
  if (name.size() == 6 && name.starts_with("Ctrl-")) {
    return Key{KeyCode::kControl, static_cast<char32_t>(name[5] - 'A' + 'a'), 0};
  }
  if (name.size() > 1 && name[0] == 'F') {
    const auto number = ParseNumber<int>(name.substr(1));
    return number ? std::optional(Key{KeyCode::kFunction, 0, *number}) : std::nullopt;
  }
  std::string_view rest = name;
  const char32_t c = NextCodePoint(rest);
  if (name.empty() || !rest.empty()) return std::nullopt;
  return Key{KeyCode::kCharacter, c, 0};
}

std::optional<Action> ActionOf(const Key& key) {
  for (const std::span<const Binding> bindings : {Bindings(), PlaybackBindings()}) {
    for (const Binding& binding : bindings) {
      std::string_view rest = binding.keys;
      while (const auto name = NextWord(rest)) {
        if (ParseKey(*name) == key) return binding.action;
      }
    }
  }
  return std::nullopt;
}

}  // namespace gpusight::tui
