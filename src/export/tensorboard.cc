// SPDX-License-Identifier: Apache-2.0
#include "export/tensorboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <protozero/pbf_writer.hpp>

namespace gpusight::exporting {
namespace {

// Field numbers of the messages.
enum Event : uint32_t { kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5 };
enum Summary : uint32_t { kValue = 1 };
enum Value : uint32_t { kTag = 1, kSimpleValue = 2, kTensor = 8, kMetadata = 9 };
enum Metadata : uint32_t { kPluginData = 1 };
enum PluginData : uint32_t { kPluginName = 1 };
enum Tensor : uint32_t { kType = 1, kShape = 2, kStringValue = 8 };
constexpr int32_t kStringType = 7;

constexpr std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0);
    table[i] = crc;
  }
  return table;
}

// A checksum of data that holds its own checksum would be weak, so it is turned and shifted.
uint32_t MaskedCrc(std::string_view bytes) {
  const uint32_t crc = Crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8U;
}

template <typename Number>
void AppendLittleEndian(std::string& out, Number number) {
  for (size_t i = 0; i < sizeof number; ++i) {
    out += static_cast<char>((number >> (8 * i)) & 0xFF);
  }
}

void AppendRecord(std::string& out, std::string_view payload) {
  std::string length;
  AppendLittleEndian(length, uint64_t{payload.size()});
  out += length;
  AppendLittleEndian(out, MaskedCrc(length));
  out += payload;
  AppendLittleEndian(out, MaskedCrc(payload));
}

}  // namespace

uint32_t Crc32c(std::string_view bytes) {
  static constexpr auto kTable = MakeTable();
  uint32_t crc = ~uint32_t{0};
  for (const char c : bytes) crc = kTable[(crc ^ static_cast<uint8_t>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

void AppendTensorBoardHeader(std::string& out, WallTime time) {
  std::string event;
  protozero::pbf_writer writer(event);
  writer.add_double(kWallTime, time.seconds());
  writer.add_string(kFileVersion, "brain.Event:2");
  AppendRecord(out, event);
}

void AppendTensorBoardEvent(std::string& out, WallTime time, int64_t step,
                            std::span<const Scalar> scalars) {
  if (scalars.empty()) return;
  std::string event;
  protozero::pbf_writer writer(event);
  writer.add_double(kWallTime, time.seconds());
  writer.add_int64(kStep, step);
  {
    protozero::pbf_writer summary(writer, kSummary);
    for (const Scalar& scalar : scalars) {
      protozero::pbf_writer value(summary, kValue);
      value.add_string(kTag, scalar.tag.data(), scalar.tag.size());
      value.add_float(kSimpleValue, static_cast<float>(scalar.value));
    }
  }
  AppendRecord(out, event);
}

void AppendTensorBoardText(std::string& out, WallTime time, int64_t step, std::string_view tag,
                           std::string_view markdown) {
  std::string event;
  protozero::pbf_writer writer(event);
  writer.add_double(kWallTime, time.seconds());
  writer.add_int64(kStep, step);
  {
    protozero::pbf_writer summary(writer, kSummary);
    protozero::pbf_writer value(summary, kValue);
    value.add_string(kTag, tag.data(), tag.size());
    {
      protozero::pbf_writer tensor(value, kTensor);
      tensor.add_enum(kType, kStringType);
      tensor.add_message(kShape, "", 0);  // of no dimension
      tensor.add_bytes(kStringValue, markdown.data(), markdown.size());
    }
    protozero::pbf_writer metadata(value, kMetadata);
    protozero::pbf_writer plugin(metadata, kPluginData);
    plugin.add_string(kPluginName, "text");
  }
  AppendRecord(out, event);
}

std::string TensorBoardFileName(WallTime time, std::string_view hostname) {
  std::string host(hostname.substr(0, 64));
  std::replace_if(
      host.begin(), host.end(),
      [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-'; }, '_');
  if (host.empty()) host = "host";
  return fmt::format("events.out.tfevents.{}.{}.gpusight", time.ns / 1'000'000'000, host);
}

}  // namespace gpusight::exporting
