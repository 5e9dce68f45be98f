#include "cli/tensor_file.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "cli/failure.hpp"
#include "cli/file_bytes.hpp"
#include "posenc/model/npy.hpp"
#include "posenc/model/safetensors.hpp"

namespace posenc::cli {
namespace {

constexpr std::string_view kSafetensors = ".safetensors";

/// "model.safetensors:wpe.weight" taken apart. A colon anywhere else is part of the path.
struct Place {
  explicit Place(const std::string& text) : path(text) {
    const std::size_t at = text.find(std::string(kSafetensors) + ':');
    if (at == std::string::npos) return;
    path = text.substr(0, at + kSafetensors.size());
    name = text.substr(path.size() + 1);
  }

  std::string path;
  std::optional<std::string> name;
};

[[noreturn]] void fail(const std::string& path, std::string_view why) {
  throw IoError(std::string(path).append(": ").append(why));
}

template <class Value>
Value value_of(const std::string& path, Result<Value>&& result) {
  if (!result.ok()) fail(path, result.status().message());
  return std::move(result).value();
}

/// Calls `use` with the tensor, which views bytes that are there for as long as the call.
void with_tensor(const std::string& text, std::optional<TableKind> kind,
                 const std::function<void(const std::string& path, const TensorView&)>& use) {
  const Place place(text);
  const FileBytes file(place.path);
  if (!place.path.ends_with(kSafetensors)) {
    use(place.path, value_of(place.path, read_npy(file.bytes())));
    return;
  }
  const auto tensors = value_of(place.path, read_safetensors(file.bytes()));
  if (place.name) {
    const TensorView* tensor = find_tensor(tensors, *place.name);
    if (tensor == nullptr) fail(place.path, "has no tensor named '" + *place.name + "'");
    use(text, *tensor);
  } else if (tensors.size() == 1) {
    use(place.path, tensors.front());
  } else {
    const TableQuery query{.kind = kind};
    use(place.path, value_of(place.path, find_position_table(tensors, query)).tensor);
  }
}

void require(const std::string& path, const Status& status) {
  if (!status.ok()) fail(path, status.message());
}

std::vector<float> floats_of(const std::string& path, const TensorView& tensor) {
  std::vector<float> data(tensor.size());
  require(path, tensor.read(data));
  return data;
}

}  // namespace

FileTensor read_tensor(const std::string& place, const std::string& axes,
                       std::optional<TableKind> kind) {
  const auto count = static_cast<std::size_t>(std::ranges::count(axes, ',')) + 1;
  FileTensor result;
  with_tensor(place, kind, [&](const std::string& path, const TensorView& tensor) {
    const std::size_t have = tensor.shape.size();
    if (have < count) {
      fail(path, "must have the shape [" + axes + "], has " + std::to_string(have) + " axes");
    }
    std::uint64_t first = 1;
    for (std::size_t i = 0; i <= have - count; ++i) first *= tensor.shape[i];
    result.shape = {first};
    for (std::size_t i = have - count + 1; i < have; ++i) {
      if (tensor.shape[i] == 0) fail(path, "must have the shape [" + axes + "], has an empty axis");
      result.shape.push_back(tensor.shape[i]);
    }
    result.data = floats_of(path, tensor);
  });
  return result;
}

std::vector<float> read_vector(const std::string& place) {
  std::vector<float> result;
  with_tensor(place, {}, [&](const std::string& path, const TensorView& tensor) {
    result = floats_of(path, tensor);
  });
  return result;
}

WholeMatrix read_whole_matrix(const std::string& place) {
  WholeMatrix result;
  with_tensor(place, {}, [&](const std::string& path, const TensorView& tensor) {
    if (tensor.shape.empty() || tensor.shape.size() > 2) {
      fail(path, "must have the shape [rows, columns], has " + std::to_string(tensor.shape.size()) +
                     " axes");
    }
    result.rows = tensor.shape.size() == 2 ? tensor.shape[0] : 1;
    result.data.resize(tensor.size());
    require(path, tensor.read_whole(result.data));
  });
  return result;
}

CLI::Option* add_place(CLI::App& app, const std::string& name, std::string& place,
                       const std::string& description) {
  return app.add_option(name, place, description)->type_name("FILE[:TENSOR]");
}

}  // namespace posenc::cli
