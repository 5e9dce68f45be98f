// A program that reads a file of weights: headers without JSON, and the library beside the core's.

#include <posenc/model/npy.hpp>
#include <posenc/model/position_tables.hpp>
#include <posenc/model/safetensors.hpp>
#include <string_view>
#include <vector>

int main() {
  // The length of the header, 8 bytes; the header; the data: 1.0f.
  constexpr std::string_view kFile(
      "\x41\0\0\0\0\0\0\0"
      "{\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[1,1],\"data_offsets\":[0,4]}}"
      "\0\0\x80\x3f",
      8 + 65 + 4);
  const auto* start = reinterpret_cast<const std::byte*>(kFile.data());
  const auto tensors = posenc::read_safetensors({start, kFile.size()}).or_throw();
  const auto table = posenc::find_position_table(tensors, {}).or_throw();
  std::vector<float> rows(table.tensor.size());
  table.tensor.read(rows).or_throw();
  const bool refused = !posenc::read_npy({start, kFile.size()}).ok();
  return refused && rows[0] == 1.0F ? 0 : 1;
}
