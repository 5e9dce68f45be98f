#include <memory>

#include "workload.hpp"

namespace posenc::bench {
namespace {

/// `form` is written (every query and key) or distances (one vector for each head).
template <class Encoding>
Workload bias_of(const Shape& shape, const std::shared_ptr<const Encoding>& encoding,
                 const std::shared_ptr<const Buffer<float>>& table) {
  const std::size_t heads = shape.size("heads"), length = shape.size("length");
  const bool distances = shape.word("form") == "distances";
  auto out =
      std::make_shared<Buffer<float>>(heads * (distances ? 2 * length - 1 : length * length));
  Workload workload;
  workload.run = [encoding, table, out, length, distances] {
    const Positions positions = Positions::from(0, length);
    if (distances)
      encoding->distances(1 - static_cast<std::int64_t>(length), *out).or_throw();
    else
      encoding->bias(positions, positions, *out).or_throw();
  };
  workload.results = [out]() -> std::vector<ConstFloats> { return {*out}; };
  return workload;
}

Workload alibi(const Shape& shape) {
  const auto encoding = std::make_shared<const Alibi>(
      AlibiConfig{.heads = shape.size("heads"), .form = AlibiForm::symmetric});
  return bias_of<Alibi>(shape, encoding, nullptr);
}

Workload t5(const Shape& shape) {
  const std::size_t heads = shape.size("heads");
  const auto table = std::make_shared<const Buffer<float>>(data(32 * heads));
  const auto encoding =
      std::make_shared<const T5>(T5Config{.heads = heads, .bidirectional = true, .table = *table});
  return bias_of<T5>(shape, encoding, table);
}

}  // namespace

void add_biases(std::map<std::string, Maker>& makers) {
  makers["alibi"] = alibi;
  makers["t5"] = t5;
}

}  // namespace posenc::bench
