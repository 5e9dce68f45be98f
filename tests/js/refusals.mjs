// Calls that must be refused: with a code, the JavaScript name of what it is about and a sentence,
// and with the next call working.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PosencError } from "posenc";

/** The call fails with this code; where they are given, with this field and part of the message. */
export function refused(call, code, field, message = "") {
  assert.throws(call, (error) => {
    assert.ok(error instanceof PosencError, String(error?.stack));
    assert.equal(error.name, "PosencError");
    assert.equal(error.code, code, error.message);
    if (field !== undefined) assert.equal(error.field, field, error.message);
    assert.ok(error.message.includes(message), error.message);
    assert.match(error.message, /^[a-z0-9_]+: /);
    return true;
  });
}

/**
 * A test for each of `calls`, { what: [call, code, field, message or a part of it] }, the last two
 * as `refused` has them; after each, `next` makes calls that must work.
 */
export function refuses(calls, next) {
  for (const [what, [call, ...expected]] of Object.entries(calls)) {
    test(`refuses ${what}`, () => {
      refused(call, ...expected);
      next();
    });
  }
}
