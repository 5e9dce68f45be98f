#include "parts.hpp"

#include "helpers.hpp"
#include "storage_types.hpp"

namespace posenc::tests {

std::vector<float> written_over(const std::vector<float>& before, StorageType type,
                                const Write& call) {
  if (type == StorageType::float32) {
    Guarded out(before, 1);
    EXPECT_TRUE(succeeded(call(Floats(out.span()))));
    return {out.span().begin(), out.span().end()};
  }
  ShortFloats out(before, type);
  EXPECT_TRUE(succeeded(call(Floats(out))));
  return out.floats();
}

void expect_parts_equal_whole(const Verb& verb) {
  Random random;
  for (const StorageType type :
       {StorageType::float32, StorageType::float16, StorageType::bfloat16}) {
    std::vector<Slice> all;
    for (const std::size_t size : verb.shape) all.push_back({0, size});
    const std::vector<float> whole = verb.part(all, type);
    ASSERT_EQ(whole.size(), size_of(all, verb.width)) << verb.name;
    for (int trial = 0; trial < 16; ++trial) {
      std::vector<Slice> slices;
      std::string text;
      for (std::size_t axis = 0; axis < all.size(); ++axis) {
        // one axis alone, in turn, then all of them
        const bool cut = trial >= 8 || static_cast<std::size_t>(trial) % all.size() == axis;
        const auto size = static_cast<std::int64_t>(all[axis].count);
        const std::int64_t first = cut ? random.integer(0, size - 1) : 0;
        const std::int64_t count = !cut             ? size
                                   : trial % 3 == 0 ? 1
                                                    : random.integer(1, size - first);
        slices.push_back({static_cast<std::size_t>(first), static_cast<std::size_t>(count)});
        text += " [" + std::to_string(first) + ", +" + std::to_string(count) + ")";
      }
      EXPECT_TRUE(same_bits(verb.part(slices, type), taken(whole, verb.shape, slices, verb.width)))
          << verb.name << " as " << storage_name(type) << ", part" << text;
    }
  }
}

}  // namespace posenc::tests
