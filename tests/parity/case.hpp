#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "posenc/core/positions.hpp"
#include "posenc/core/status.hpp"
#include "posenc/core/storage.hpp"
#include "support/elements.hpp"
#include "support/generator.hpp"
#include "support/guarded_buffer.hpp"

namespace posenc::parity {

using tests::Values;

/// The storage types of a case's data: of what goes in alone, and of what comes out.
struct Storage {
  StorageType in = StorageType::float32;
  StorageType out = StorageType::float32;
};

/// Where a case's positions lie.
struct Place {
  enum class Kind : std::uint8_t { range, int32, int64, fractional, tiny };
  const char* name;
  Kind kind;
  /// The first of a range; for the others the magnitude, 2^power at most.
  std::int64_t first;
  int power;
};

/// Ranges and arrays of whole numbers, negative and far ones included.
extern const std::array<Place, 10> kWholePlaces;
/// The same and fractional positions.
extern const std::array<Place, 14> kPlaces;

/// One call of a verb: what goes in, what comes out, and a hash of what came out. Everything that
/// goes in is made by a generator seeded with the case's name.
class Case {
 public:
  using Shape = std::initializer_list<std::size_t>;

  explicit Case(std::string name, Storage storage = {});

  const std::string& name() const noexcept { return name_; }
  tests::Generator& generator() noexcept { return generator_; }

  // Buffers of the case's storage types; they start at any alignment of an element.
  ConstFloats input(const char* name, Shape shape, Values values = Values::special);
  Floats in_place(const char* name, Shape shape, Values values = Values::special);
  Floats output(const char* name, Shape shape);
  // The same of floats whatever the storage type.
  std::span<const float> input_floats(const char* name, Shape shape,
                                      Values values = Values::special);
  std::span<float> output_floats(const char* name, Shape shape);
  std::span<float> in_place_floats(const char* name, Shape shape, Values values = Values::special);

  Positions positions(const char* name, const Place& place, std::size_t count);
  /// Whole numbers from `low` to `high`, as a range or as an array of any type.
  Positions positions_between(const char* name, std::int64_t low, std::int64_t high,
                              std::size_t count);

  /// Records numbers of a config that the case made itself.
  void parameters(const char* name, std::span<const double> values);

  /// Numbers that an encoding holds or returns.
  void result(const char* name, std::span<const double> values);
  void result(const char* name, std::span<const std::int64_t> values);
  void result(const char* name, std::span<const std::int32_t> values);

  /// Records a failure unless the verb succeeded.
  void succeed(const Status& status);

  /// Takes the outputs down. What follows may be asked for after that alone.
  void finish();

  /// What is wrong with the case itself: the verb failed, or wrote outside its output. Or empty.
  const std::string& problem() const noexcept { return problem_; }
  /// Flips the last bit of the first finite number of the outputs; false if there is none.
  bool spoil();
  /// Of all outputs; every NaN counts as the same.
  std::uint64_t hash() const;
  /// Prints the arrays, a line each: role, name, type, shape, and the elements' bits in hex.
  void dump(std::FILE* file) const;

 private:
  /// What was taken down of a buffer: words are an element's bits.
  struct Array {
    bool output;
    const char* name;
    const char* type;
    std::vector<std::size_t> shape;
    std::vector<std::uint64_t> words;
  };
  struct Output {
    const char* name;
    std::vector<std::size_t> shape;
    Floats buffer;
  };

  Floats buffer(Shape shape, StorageType type);
  Floats filled(const char* name, Shape shape, StorageType type, Values values);
  Floats emptied(const char* name, Shape shape, StorageType type);
  void record(bool output, const char* name, std::vector<std::size_t> shape, ConstFloats buffer);

  std::string name_;
  Storage storage_;
  tests::Generator generator_;
  std::string problem_;
  std::deque<tests::GuardedBuffer> buffers_;
  std::deque<std::vector<double>> doubles_;
  std::deque<std::vector<std::int32_t>> int32s_;
  std::deque<std::vector<std::int64_t>> int64s_;
  std::vector<Output> outputs_;
  std::vector<Array> arrays_;
};

}  // namespace posenc::parity
