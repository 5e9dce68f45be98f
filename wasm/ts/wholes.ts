import { fail } from "./check.js";
import { tag } from "./floats.js";
import type { Memory } from "./memory.js";
import type { CoreModule, Pointer } from "./module.js";

/** Address and length of a copy of whole numbers of 32 bits, until `close()`. @internal */
export function wholes32(
  memory: Memory<CoreModule>,
  owner: string,
  field: string,
  values: Int32Array,
): [address: Pointer, length: number] {
  if (tag(values) !== "Int32Array") fail("TYPE", owner, field, "an Int32Array", values);
  const [, address, length] = memory.positionList(owner, field, values);
  return [address as Pointer, length];
}
