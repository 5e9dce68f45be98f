// Bytes of .npy and .safetensors files, half of them wrong, through their readers.

#include "support/tensor_files.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "posenc/core/check.hpp"
#include "posenc/model/npy.hpp"
#include "posenc/model/position_tables.hpp"
#include "posenc/model/safetensors.hpp"
#include "runner.hpp"

namespace posenc::fuzz {
namespace {

constexpr const char* kNames[] = {"wpe.weight", "h.0.pos_embed", "h.10.pos_embed", "a",
                                  "rel_pos_h"};

/// Changes of any kind to the bytes: what they do nobody knows before.
void mutate(tests::Bytes& file, Trial& trial) {
  if (file.empty()) return;
  const auto at = file.begin() + static_cast<std::ptrdiff_t>(trial.random().below(file.size()));
  const std::size_t count =
      std::min<std::size_t>(trial.size(1, 12), static_cast<std::size_t>(file.end() - at));
  const auto end = at + static_cast<std::ptrdiff_t>(count);
  constexpr std::string_view kWords = "{}[](),:'\"0123456789-.eE \\uLTF<\0\xff";
  switch (trial.random().below(5)) {
    case 0:
      *at ^= static_cast<std::byte>(1u << trial.random().below(8));
      break;
    case 1:
      *at = static_cast<std::byte>(trial.random().pick(kWords));
      break;
    case 2:
      file.erase(at, end);
      break;
    case 3: {
      const tests::Bytes part(at, end);
      file.insert(at, part.begin(), part.end());
      break;
    }
    default:
      file.resize(static_cast<std::size_t>(at - file.begin()));
      break;
  }
}

/// Reads all that a tensor has, and looks whether it is within its file.
Status read_all(const TensorView& tensor, std::span<const std::byte> file) {
  const auto* end = tensor.bytes.data() + tensor.bytes.size();
  const bool inside = tensor.bytes.empty() ||
                      (tensor.bytes.data() >= file.data() && end <= file.data() + file.size());
  if (!inside) return Status::failure(Code::overlap, "bytes", "outside of the file");
  if (tensor.type == ElementType::other) return {};
  if (tensor.size() > file.size()) return Status::failure(Code::overlap, "size", "too many");
  std::vector<float> floats(tensor.size());
  const Status as_floats = tensor.read(floats);
  if (as_floats.ok()) return {};
  std::vector<std::int64_t> whole(tensor.size());
  return tensor.read_whole(whole);
}

/// The bytes in memory of exactly their size, so that a sanitizer sees a read past them.
struct ExactCopy {
  explicit ExactCopy(const tests::Bytes& file)
      : memory(std::make_unique<std::byte[]>(file.size())), size(file.size()) {
    std::ranges::copy(file, memory.get());
  }
  std::span<const std::byte> bytes() const { return {memory.get(), size}; }

  std::unique_ptr<std::byte[]> memory;
  std::size_t size;
};

struct NpyCall {
  static constexpr const char* kEncoding = "npy";

  tests::Bytes file;

  static NpyCall valid(Trial& trial) {
    const std::size_t rows = trial.size(0, 4), columns = trial.size(1, 5);
    constexpr std::pair<const char*, std::size_t> kTypes[] = {
        {"<f4", 4}, {"<f2", 2}, {"<f8", 8}, {"<i8", 8}, {"<i4", 4}, {"|u1", 1}, {"|b1", 1}};
    const auto [type, width] = trial.random().pick(kTypes);
    const std::string shape = std::to_string(rows) + ", " + std::to_string(columns);
    return {tests::npy_array(type, shape, std::string(rows * columns * width, 'x'))};
  }

  Refusal spoil(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        file.resize(trial.random().below(file.size()));
        return {Code::malformed};
      case 1:
        file.push_back(std::byte{});
        return {Code::malformed, "shape"};
      case 2:
        file[trial.random().below(6)] ^= std::byte{1};
        return {Code::malformed, "header"};
      default:
        file[9] = std::byte{0xff};
        return {Code::malformed, "header"};
    }
  }

  void roughen(Trial& trial) { mutate(file, trial); }

  Status run() const {
    const ExactCopy copy(file);
    const Result<TensorView> tensor = read_npy(copy.bytes());
    return tensor.ok() ? read_all(tensor.value(), copy.bytes()) : tensor.status();
  }
};

struct SafetensorsCall {
  static constexpr const char* kEncoding = "safetensors";

  tests::Bytes file;

  static SafetensorsCall valid(Trial& trial) {
    constexpr std::pair<const char*, std::size_t> kTypes[] = {
        {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"F64", 8}, {"I64", 8}, {"BOOL", 1}, {"F8_E5M2", 1}};
    tests::SafetensorsWriter writer;
    for (const char* name : kNames) {
      if (trial.random().one_in(3)) continue;
      const std::size_t rows = trial.size(0, 3), columns = trial.size(1, 4);
      const auto [type, width] = trial.random().pick(kTypes);
      writer.add(name, type, std::to_string(rows) + "," + std::to_string(columns),
                 std::string(rows * columns * width, 'x'));
    }
    return {writer.file()};
  }

  Refusal spoil(Trial& trial) {
    switch (trial.random().below(4)) {
      case 0:
        file.resize(trial.random().below(file.size()));
        return {Code::malformed};
      case 1:
        file.push_back(std::byte{});
        return {Code::malformed, "data_offsets"};
      case 2:
        file[trial.size(4, 7)] = std::byte{1};
        return {Code::malformed, "header"};
      default:
        file[8] = std::byte{'['};
        return {Code::malformed, "header"};
    }
  }

  void roughen(Trial& trial) { mutate(file, trial); }

  Status run() const {
    const ExactCopy copy(file);
    const Result<std::vector<TensorView>> tensors = read_safetensors(copy.bytes());
    if (!tensors.ok()) return tensors.status();
    for (const TensorView& tensor : tensors.value()) {
      POSENC_RETURN_IF_FAILED(read_all(tensor, copy.bytes()));
    }
    (void)find_position_table(tensors.value(), {});
    return {};
  }
};

}  // namespace

Tally fuzz_npy(const Options& options) { return Runner<NpyCall>(options).run(); }
Tally fuzz_safetensors(const Options& options) { return Runner<SafetensorsCall>(options).run(); }

}  // namespace posenc::fuzz
