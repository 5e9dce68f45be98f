#include "posenc/model/safetensors.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "helpers.hpp"
#include "support/tensor_files.hpp"

namespace posenc {
namespace {

using tests::Bytes;
using tests::bytes_of;
using tests::expect_failure;
using tests::safetensors_of;
using tests::SafetensorsWriter;
using tests::succeeded;

Status refusal(const Bytes& file) { return read_safetensors(file).status(); }

/// A header of one tensor, and the bytes that it says.
std::string tensor_header(const std::string& fields) { return "{\"t\":{" + fields + "}}"; }

TEST(Safetensors, ReadsTensorsOfEveryTypeSortedByName) {
  SafetensorsWriter writer;
  writer.add("wpe.weight", "F32", "2,1", bytes_of<float>({1.5f, 2}));
  writer.add("half", "F16", "3", bytes_of<std::uint16_t>({0x3c00, 0, 0x8000}));
  writer.add("brain", "BF16", "1", bytes_of<std::uint16_t>({0x3f80}));
  writer.add("ids", "I64", "1,2", bytes_of<std::int64_t>({0, -1}));
  writer.add("flags", "BOOL", "3", {"\x01\x00\x01", 3});
  writer.add("tiny", "F8_E4M3", "3", "abc");
  const Bytes file = writer.file();
  const Result<std::vector<TensorView>> read = read_safetensors(file);
  ASSERT_TRUE(succeeded(read.status()));
  const std::vector<TensorView>& tensors = read.value();
  ASSERT_EQ(tensors.size(), 6u);
  EXPECT_TRUE(std::ranges::is_sorted(tensors, {}, &TensorView::name));
  const TensorView* table = find_tensor(tensors, "wpe.weight");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->type, ElementType::float32);
  EXPECT_EQ(table->type_name, "F32");
  EXPECT_EQ(table->shape, (std::vector<std::size_t>{2, 1}));
  std::vector<float> out(2);
  ASSERT_TRUE(succeeded(table->read(out)));
  EXPECT_EQ(out, (std::vector<float>{1.5f, 2}));
  std::vector<std::int64_t> ids(2);
  ASSERT_TRUE(succeeded(find_tensor(tensors, "ids")->read_whole(ids)));
  EXPECT_EQ(ids, (std::vector<std::int64_t>{0, -1}));
  EXPECT_EQ(find_tensor(tensors, "brain")->type, ElementType::bfloat16);
  EXPECT_EQ(find_tensor(tensors, "half")->type, ElementType::float16);
  EXPECT_EQ(find_tensor(tensors, "flags")->type, ElementType::uint8);
  EXPECT_EQ(find_tensor(tensors, "tiny")->type, ElementType::other);
  EXPECT_EQ(find_tensor(tensors, "tiny")->bytes.size(), 3u);
  EXPECT_EQ(find_tensor(tensors, "wpe"), nullptr);
}

TEST(Safetensors, ReadsEmptyFilesMetadataAndPadding) {
  EXPECT_TRUE(read_safetensors(safetensors_of("{}")).value().empty());
  EXPECT_TRUE(succeeded(refusal(safetensors_of("{\"__metadata__\":{\"format\":\"pt\"}}   "))));
}

TEST(Safetensors, ReadsEmptyTensorsSingleNumbersAndTypesThatItDoesNotKnow) {
  SafetensorsWriter writer;
  writer.add("empty", "F32", "0,2147483647", "");
  writer.add("number", "F32", "", bytes_of<float>({1}));
  writer.add("new", "F4", "3", "ab");
  EXPECT_TRUE(succeeded(refusal(writer.file())));
}

TEST(Safetensors, ReadsNamesWithEscapes) {
  const Bytes file = safetensors_of(
      "{\"a\\u002eb\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", "x");
  EXPECT_EQ(read_safetensors(file).value().at(0).name, "a.b");
}

TEST(Safetensors, EveryBeginningOfAFileIsRefused) {
  SafetensorsWriter writer;
  writer.add("t", "F32", "2", bytes_of<float>({1, 2}));
  const Bytes file = writer.file();
  for (std::size_t size = 0; size < file.size(); ++size) {
    const Status status = refusal(Bytes(file.begin(), file.begin() + static_cast<long>(size)));
    EXPECT_EQ(status.code(), Code::malformed) << size << " bytes";
  }
}

TEST(Safetensors, RefusesLengthsOfHeadersBeyondTheFile) {
  for (const std::uint64_t length : {3ull, 100'000'001ull, ~0ull, 1ull << 63}) {
    Bytes file;
    tests::append(file, tests::little_endian(length, 8) + "{}");
    expect_failure(refusal(file), Code::malformed, "header",
                   "safetensors: header must be within the file and 100 MB, its length is " +
                       std::to_string(length) + " of 2 bytes");
  }
  expect_failure(refusal(Bytes(7)), Code::malformed, "header",
                 "safetensors: header's length is 8 bytes, the file has 7");
}

TEST(Safetensors, RefusesHeadersThatAreNoJson) {
  expect_failure(refusal(safetensors_of(" {}")), Code::malformed, "header",
                 "safetensors: header must start with '{'");
  expect_failure(refusal(safetensors_of("{} x")), Code::malformed, "header",
                 "safetensors: header is no JSON at byte 4");
  expect_failure(refusal(safetensors_of("{\"a\"}")), Code::malformed, "header",
                 "safetensors: header is no JSON at byte 5");
  expect_failure(refusal(safetensors_of(std::string("{}\0\0", 4))), Code::malformed, "header",
                 "safetensors: header is no JSON at byte 3");
  expect_failure(refusal(safetensors_of("{\"\xff\":1}")), Code::malformed, "header",
                 "safetensors: header is no JSON at byte 3");
}

TEST(Safetensors, RefusesDeepNestingAtItsFirstLevelThatTheFormatHasNot) {
  const std::string deep(1'000'000, '[');
  expect_failure(refusal(safetensors_of("{\"t\":" + deep)), Code::malformed, "header",
                 "safetensors: 't': header must be an object of tensors");
  expect_failure(refusal(safetensors_of(tensor_header("\"shape\":" + deep))), Code::malformed,
                 "shape", "safetensors: 't': shape must be whole numbers from 0 on");
}

TEST(Safetensors, RefusesNamesThatAreThereTwice) {
  SafetensorsWriter writer;
  writer.add("t", "U8", "1", "x");
  writer.add("t", "U8", "1", "y");
  expect_failure(refusal(writer.file()), Code::malformed, "name",
                 "safetensors: name 't' is there twice");
  expect_failure(refusal(safetensors_of("{\"__metadata__\":{},\"__metadata__\":{}}")),
                 Code::malformed, "name", "safetensors: __metadata__ is there twice");
}

TEST(Safetensors, RefusesFieldsThatAreMissingTwiceOrOfAnotherKind) {
  struct Case {
    const char* fields;
    const char* field;
    const char* message;
  };
  const char* all = "must have dtype, shape and data_offsets";
  for (const Case& wrong : {
           Case{"\"dtype\":\"U8\",\"shape\":[1]", "header", all},
           Case{"\"dtype\":\"U8\",\"dtype\":\"U8\"", "dtype", "has a field twice"},
           Case{"\"shape\":[1],\"shape\":[1]", "shape", "has a field twice"},
           Case{"\"device\":0", "header", "must have dtype, shape and data_offsets alone"},
           Case{"\"dtype\":3", "dtype", "dtype must be a word"},
           Case{"\"shape\":1", "shape", "shape must be whole numbers from 0 on"},
           Case{"\"shape\":[-1]", "shape", "shape must be whole numbers from 0 on"},
           Case{"\"shape\":[1.0]", "shape", "shape must be whole numbers from 0 on"},
           Case{"\"shape\":[1e1]", "shape", "shape must be whole numbers from 0 on"},
           Case{"\"shape\":[null]", "shape", "shape must be whole numbers from 0 on"},
           Case{"\"shape\":[99999999999999999999]", "shape",
                "shape must be whole numbers from 0 on"},
           Case{"\"data_offsets\":[0]", "data_offsets", "data_offsets must be two numbers"},
           Case{"\"data_offsets\":[0,1,2]", "data_offsets", "data_offsets must be two numbers"},
           Case{"\"data_offsets\":[true,1]", "data_offsets",
                "data_offsets must be whole numbers from 0 on"},
       }) {
    expect_failure(refusal(safetensors_of(tensor_header(wrong.fields), "x")), Code::malformed,
                   wrong.field, std::string("safetensors: 't': ") + wrong.message);
  }
  expect_failure(refusal(safetensors_of("{\"__metadata__\":{\"a\":1}}")), Code::malformed, "header",
                 "safetensors: header must be an object of tensors");
}

TEST(Safetensors, RefusesOffsetsOutsideTheDataBackwardsOverlappingOrWithHoles) {
  const auto refuse = [](const std::string& offsets, const std::string& message) {
    const std::string header =
        tensor_header("\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[" + offsets + "]");
    expect_failure(refusal(safetensors_of(header, "abcd")), Code::malformed, "data_offsets",
                   "safetensors: " + message);
  };
  const std::string rule = "'t': data_offsets must go from 0 on to at most 4, got ";
  refuse("0,5", rule + "0 to 5");
  refuse("0,18446744073709551615", rule + "0 to 18446744073709551615");
  refuse("2,0", rule + "2 to 0");
  refuse("2,4", rule + "2 to 4");
  refuse("0,2", "data_offsets end at 2, the data at 4");
  const std::string first = "{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},";
  const std::string second = "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[2,4]}}";
  expect_failure(refusal(safetensors_of(first + second, "abcd")), Code::malformed, "data_offsets",
                 "safetensors: 'b': data_offsets must go from 3 on to at most 4, got 2 to 4");
}

TEST(Safetensors, RefusesShapesThatDoNotFitTheirBytes) {
  for (const char* shape : {"3", "1,1", "0", "4294967296,4294967296", "18446744073709551615,2",
                            "2147483648,2147483648,4"}) {
    SafetensorsWriter writer;
    writer.add("t", "F16", shape, "abcd");
    const Status status = refusal(writer.file());
    EXPECT_TRUE(status.code() == Code::malformed || status.code() == Code::size_limit) << shape;
    EXPECT_EQ(status.field(), "shape") << shape;
  }
  SafetensorsWriter writer;
  writer.add("t", "F16", "3", "abcd");
  expect_failure(refusal(writer.file()), Code::malformed, "shape",
                 "safetensors: 't': shape and dtype must fit its 4 bytes");
}

TEST(Safetensors, RefusesTooManyAxes) {
  std::string axes = "1";
  for (int i = 0; i < 64; ++i) axes += ",1";
  SafetensorsWriter writer;
  writer.add("t", "U8", axes, "x");
  expect_failure(refusal(writer.file()), Code::malformed, "shape",
                 "safetensors: 't': shape must have at most 64 axes");
}

TEST(Safetensors, ShowsTheEndOfLongNamesAndNoControlCharacters) {
  SafetensorsWriter writer;
  writer.add(std::string(100, 'a') + "\\u001b.weight", "F32", "2", "abcd");
  expect_failure(refusal(writer.file()), Code::malformed, "shape",
                 std::string("safetensors: '...")
                     .append(std::string(45, 'a'))
                     .append("?.weight': shape and dtype must fit its 4 bytes"));
}

}  // namespace
}  // namespace posenc
