#include "posenc/core/storage.hpp"

#include "posenc/kernels/kernels.hpp"

namespace posenc {

float to_float(Float16 value) noexcept {
  float result = 0.0f;
  kernels::active().widen_float16(&value.bits, &result, 1);
  return result;
}

float to_float(Bfloat16 value) noexcept {
  float result = 0.0f;
  kernels::active().widen_bfloat16(&value.bits, &result, 1);
  return result;
}

Float16 to_float16(float value) noexcept {
  Float16 result;
  kernels::active().narrow_float16(&value, &result.bits, 1);
  return result;
}

Bfloat16 to_bfloat16(float value) noexcept {
  Bfloat16 result;
  kernels::active().narrow_bfloat16(&value, &result.bits, 1);
  return result;
}

const char* storage_name(StorageType type) noexcept {
  switch (type) {
    case StorageType::float32:
      return "float32";
    case StorageType::float16:
      return "float16";
    case StorageType::bfloat16:
      return "bfloat16";
  }
  return "float32";
}

}  // namespace posenc
