import type { AllModule } from "./all_module.js";
import { fail } from "./check.js";
import { tag } from "./floats.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";

/** The result of a call, whose scratch is given back. @internal */
export function closing<Result>(memory: Memory<AllModule>, call: () => Result): Result {
  try {
    return call();
  } finally {
    memory.close();
  }
}

/** Address and length of a copy of whole numbers of 32 bits, until `close()`. @internal */
export function wholes32(
  memory: Memory<AllModule>,
  owner: string,
  field: string,
  values: Int32Array,
): [address: Pointer, length: number] {
  if (tag(values) !== "Int32Array") fail("TYPE", owner, field, "an Int32Array", values);
  const [, address, length] = memory.positionList(owner, field, values);
  return [address as Pointer, length];
}
