#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posenc::conformance {

/// Keeps the order of keys, so that messages about the first of several are the same as in
/// JavaScript.
using Json = nlohmann::ordered_json;

using Shape = std::vector<std::size_t>;

/// What stands in place of a case's outputs. Codes are the library's and two of our own:
/// UNSUPPORTED (nothing is wrong with the case) and MALFORMED.
struct CaseError {
  std::string code;
  std::string message;
};

/// An input: float32 values, read from the doubles that hold them.
struct Tensor {
  Shape shape;
  std::vector<float> values;
};

/// One case of a vector file while it is evaluated. Everything in it must be read, declared as a
/// mere description or refused: `finish` throws for what was passed over, so no parameter is ever
/// ignored in silence. All members throw CaseError.
class Case {
 public:
  explicit Case(const Json& json);

  const std::string& family() const { return family_; }

  /// Parameters: `size` is a whole number that is not negative, `whole_or` has a fallback for one
  /// that is not given.
  bool has(const std::string& name) const;
  std::size_t size(const std::string& name);
  std::int64_t whole(const std::string& name);
  double number(const std::string& name);
  bool flag(const std::string& name);
  const Json& any(const std::string& name);
  std::int64_t whole_or(const std::string& name, std::int64_t fallback);

  /// A parameter that, where it is given, may have only these values.
  void one_of(const std::string& name, std::initializer_list<Json> values);
  /// Parameters and inputs that say where a case comes from and change nothing.
  void describes(std::initializer_list<std::string> names);

  /// Whether the case has an output of that name to compare with.
  bool wants(const std::string& name) const { return wanted_->contains(name); }

  bool has_input(const std::string& name) const;
  Tensor input(const std::string& name);
  /// An input that must have this shape.
  Tensor input(const std::string& name, const Shape& shape);
  /// Parameters that are lists.
  std::vector<double> numbers(const std::string& name);
  std::vector<std::int64_t> wholes(const std::string& name);

  /// An input of doubles, not rounded to float32.
  std::vector<double> numbers_input(const std::string& name);
  /// An input of whole numbers.
  std::vector<std::int64_t> whole_input(const std::string& name);

  /// Positions from inputs or params: a list, or a number of positions from `first` on.
  std::vector<double> positions(std::int64_t first = 0);

  /// Room for an output; refuses what is too large to be meant.
  std::vector<float> room(const Shape& shape) const;

  void output(const std::string& name, double value);
  void output(const std::string& name, const Shape& shape, std::span<const float> values);
  void output(const std::string& name, const Shape& shape, std::span<const double> values);

  /// Throws for parameters, inputs and wanted outputs that the family did not deal with.
  void finish() const;
  /// {"name": value, ...}: the outputs as JSON text.
  std::string outputs() const { return "{" + outputs_ + "}"; }

 private:
  const Json& parameter(const std::string& name);
  const Json& parameter_list(const std::string& name);
  const Json& input_json(const std::string& name);
  std::string& begin_output(const std::string& name);
  template <class Value>
  void tensor_output(const std::string& name, const Shape& shape, std::span<const Value> values);

  std::string family_;
  const Json* params_;
  const Json* inputs_;
  const Json* wanted_;
  std::set<std::string> seen_params_;
  std::set<std::string> seen_inputs_;
  std::set<std::string> written_;
  std::string outputs_;
};

/// "[2,3]"
std::string shape_text(const Shape& shape);

/// A value in a message: numbers as JavaScript prints them, strings quoted, the rest by kind.
std::string shown(const Json& value);

[[noreturn]] void malformed(const std::string& message);
[[noreturn]] void unsupported(const std::string& message);

/// A whole number, whole in value and not in spelling: 4.0 is one. `what` names it in the message.
std::int64_t whole_of(const Json& value, const std::string& what);
std::size_t size_of(const Json& value, const std::string& what);
double number_of(const Json& value, const std::string& what);

}  // namespace posenc::conformance
