#include "posenc/model/npy.hpp"

#include <string>
#include <vector>

#include "helpers.hpp"
#include "support/tensor_files.hpp"

namespace posenc {
namespace {

using tests::Bytes;
using tests::bytes_of;
using tests::expect_failure;
using tests::npy_array;
using tests::npy_of;
using tests::succeeded;

constexpr const char* kGoodHeader = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";

Status refusal(const Bytes& file) { return read_npy(file).status(); }

void expect_damaged(const Bytes& file, const std::string& what) {
  expect_failure(refusal(file), Code::malformed, "header", "npy: header is damaged: " + what);
}

TEST(Npy, ReadsShapeTypeAndElements) {
  const Bytes file = npy_array("<f4", "2, 3", bytes_of<float>({1, 2, 3, 4, 5, 6.5f}));
  const Result<TensorView> tensor = read_npy(file);
  ASSERT_TRUE(succeeded(tensor.status()));
  EXPECT_EQ(tensor.value().shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(tensor.value().type, ElementType::float32);
  EXPECT_EQ(tensor.value().type_name, "<f4");
  EXPECT_EQ(tensor.value().name, "");
  std::vector<float> out(6);
  ASSERT_TRUE(succeeded(tensor.value().read(out)));
  EXPECT_EQ(out, (std::vector<float>{1, 2, 3, 4, 5, 6.5f}));
}

TEST(Npy, ViewsTheFile) {
  const Bytes file = npy_array("<f4", "2,", bytes_of<float>({1, 2}));
  const Result<TensorView> tensor = read_npy(file);
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor.value().bytes.data() + 8, file.data() + file.size());
}

TEST(Npy, ReadsFloat16AndNumPysDefaultFloat64) {
  std::vector<float> out(2);
  const Bytes halves = npy_array("<f2", "2,", bytes_of<std::uint16_t>({0x3c00, 0xc100}));
  ASSERT_TRUE(succeeded(std::move(read_npy(halves)).or_throw().read(out)));
  EXPECT_EQ(out, (std::vector<float>{1.0f, -2.5f}));
  const Bytes doubles = npy_array("<f8", "2,", bytes_of<double>({0.1, -2.5}));
  ASSERT_TRUE(succeeded(std::move(read_npy(doubles)).or_throw().read(out)));
  EXPECT_EQ(out, (std::vector<float>{0.1f, -2.5f}));
}

TEST(Npy, ReadsWholeNumbersAndTruthValues) {
  std::vector<std::int64_t> out(2);
  const auto read = [&](const Bytes& file) {
    return std::move(read_npy(file)).or_throw().read_whole(out);
  };
  ASSERT_TRUE(succeeded(read(npy_array("<i8", "2,", bytes_of<std::int64_t>({-1, 1LL << 40})))));
  EXPECT_EQ(out, (std::vector<std::int64_t>{-1, 1LL << 40}));
  ASSERT_TRUE(succeeded(read(npy_array("<i4", "2,", bytes_of<std::int32_t>({-7, 9})))));
  EXPECT_EQ(out, (std::vector<std::int64_t>{-7, 9}));
  ASSERT_TRUE(succeeded(read(npy_array("|b1", "2,", {"\x01\x00", 2}))));
  EXPECT_EQ(out, (std::vector<std::int64_t>{1, 0}));
  ASSERT_TRUE(succeeded(read(npy_array("|u1", "2,", {"\xff\x02", 2}))));
  EXPECT_EQ(out, (std::vector<std::int64_t>{255, 2}));
}

TEST(Npy, ReadsSingleNumbersAndEmptyArrays) {
  const Bytes number = npy_array("<f4", "", bytes_of<float>({5}));
  EXPECT_TRUE(read_npy(number).value().shape.empty());
  const Bytes empty = npy_array("<f4", "0, 768", "");
  EXPECT_EQ(read_npy(empty).value().size(), 0u);
}

TEST(Npy, ReadsHeadersThatOtherWritersMake) {
  for (const char* header : {
           "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,)}",
           "{'shape': (2L,), 'fortran_order': False, 'descr': '<f4'}",
           "  { 'shape' : ( 2 , ) , 'fortran_order' : False , 'descr' : '<f4' , }",
       }) {
    const Bytes file = npy_of(header, bytes_of<float>({1, 2}));
    const Result<TensorView> tensor = read_npy(file);
    ASSERT_TRUE(succeeded(tensor.status())) << header;
    EXPECT_EQ(tensor.value().shape, (std::vector<std::size_t>{2}));
  }
}

TEST(Npy, ReadsVersions2And3WithTheirLongerLength) {
  for (const char version : {'\x02', '\x03'}) {
    Bytes file;
    tests::append(file, "\x93NUMPY");
    tests::append(file, std::string{version, '\0'});
    const std::string header = kGoodHeader;
    tests::append(file, tests::little_endian(header.size(), 4));
    tests::append(file, header + bytes_of<float>({1, 2}));
    EXPECT_TRUE(succeeded(refusal(file)));
  }
}

TEST(Npy, RefusesBytesThatAreNoNpyFile) {
  const char* message = "npy: the file does not start as a .npy file";
  expect_failure(refusal({}), Code::malformed, "header", message);
  Bytes zip;
  tests::append(zip, "PK\x03\x04 and more");
  expect_failure(refusal(zip), Code::malformed, "header", message);
  Bytes file = npy_of(kGoodHeader);
  file[6] = std::byte{4};
  expect_failure(refusal(file), Code::malformed, "header", "npy: version must be 1 to 3, got 4");
}

TEST(Npy, EveryBeginningOfAFileIsRefused) {
  const Bytes file = npy_array("<f4", "2,", bytes_of<float>({1, 2}));
  for (std::size_t size = 0; size < file.size(); ++size) {
    const Status status = refusal(Bytes(file.begin(), file.begin() + static_cast<long>(size)));
    EXPECT_EQ(status.code(), Code::malformed) << size << " bytes";
  }
}

TEST(Npy, RefusesLengthsBeyondTheFileAndHugeHeaders) {
  Bytes file = npy_of(kGoodHeader);
  file[8] = file[9] = std::byte{0xff};
  expect_damaged(file, "the file ends in it");
  Bytes huge;
  tests::append(huge, std::string_view("\x93NUMPY\x02\x00", 8));
  tests::append(huge, tests::little_endian((1u << 20) + 1, 4));
  tests::append(huge, std::string((1u << 20) + 1, ' '));
  expect_damaged(huge, "it is longer than 1 MiB");
}

TEST(Npy, RefusesHeadersThatAreNoSuchDictionary) {
  for (const char* header : {
           "",
           "{",
           "[]",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } more",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'shape': (2,), }",
           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
           "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2.0,), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
           "{'descr': '<f4' 'fortran_order': False, 'shape': (2,), }",
       }) {
    SCOPED_TRACE(header);
    expect_damaged(npy_of(header, bytes_of<float>({1, 2})),
                   "it is not a dictionary as NumPy writes it");
  }
  expect_damaged(npy_of("{'descr': '<f4', 'shape': (2,), }"),
                 "it must have descr, fortran_order and shape");
}

TEST(Npy, RefusesTooManyAxes) {
  std::string axes;
  for (int i = 0; i < 65; ++i) axes += "1, ";
  expect_damaged(npy_array("<f4", axes, bytes_of<float>({1})),
                 "it is not a dictionary as NumPy writes it");
}

TEST(Npy, SaysHowToConvertWhatItDoesNotRead) {
  const std::string types =
      "npy: descr must be '<f4', '<f2', '<f8', '<i8', '<i4', '|u1' or '|b1', got '";
  const std::string remedy = "': convert it in NumPy with array.astype('<f4')";
  expect_failure(refusal(npy_array(">f4", "2,", bytes_of<float>({1, 2}))), Code::value_range,
                 "descr", types + ">f4" + remedy);
  expect_failure(
      refusal(npy_of("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (2,)}")),
      Code::value_range, "descr", types + "[('x', '<f4')]" + remedy);
  expect_failure(refusal(npy_of("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }",
                                bytes_of<float>({1, 2}))),
                 Code::value_range, "fortran_order",
                 "npy: fortran_order must be False, got True: convert the array in NumPy with "
                 "numpy.ascontiguousarray(array)");
}

TEST(Npy, RefusesDataOfAnotherLengthThanTheShape) {
  expect_failure(refusal(npy_array("<f4", "3,", bytes_of<float>({1, 2}))), Code::malformed, "shape",
                 "npy: shape needs 12 bytes of data, the file has 8");
  expect_failure(refusal(npy_array("<f4", "1,", bytes_of<float>({1, 2}))), Code::malformed, "shape",
                 "npy: shape needs 4 bytes of data, the file has 8");
}

TEST(Npy, RefusesShapesThatOverflow) {
  expect_failure(refusal(npy_array("<f4", "4294967295, 4294967295, 4294967295", "")),
                 Code::size_limit, "shape", "npy: shape has more elements than memory can hold");
}

TEST(Npy, MessagesShowNoControlCharacters) {
  const Status status = refusal(npy_array("\x1b[2Jx", "2,", ""));
  EXPECT_NE(status.message().find("got '?[2Jx'"), std::string_view::npos) << status.message();
}

}  // namespace
}  // namespace posenc
