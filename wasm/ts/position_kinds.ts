import { describe, fail } from "./check.js";
import { tag } from "./floats.js";

/** The number of a kind of positions in wasm/bindings, 0 for what is none. @internal */
export function positionKind(values: unknown): number {
  if (Array.isArray(values)) return 3;
  if (!ArrayBuffer.isView(values)) return 0;
  return Math.max(0, ["", "Int32Array", "BigInt64Array", "Float64Array"].indexOf(tag(values)));
}

/** Copies what must be numbers. @internal */
export function copyNumbers(
  owner: string,
  field: string,
  values: readonly unknown[],
  target: Float64Array,
): void {
  for (let index = 0; index < target.length; ++index) {
    const value = values[index];
    if (typeof value !== "number") {
      fail("TYPE", owner, field, `numbers, but [${index}] is ${describe(value)}`, values);
    }
    target[index] = value;
  }
}
