// The shipped types under the strictest settings, as a consumer with each module resolution sees
// them. skipLibCheck is off: the declaration files themselves must be right.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const consumer = fileURLToPath(new URL("consumer.ts", import.meta.url));

const resolutions = {
  nodenext: { module: ts.ModuleKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

for (const [name, resolution] of Object.entries(resolutions)) {
  test(`a consumer type-checks with ${name} resolution`, () => {
    const program = ts.createProgram([consumer], {
      ...resolution,
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
    });
    const problems = ts.getPreEmitDiagnostics(program).map((diagnostic) => {
      const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
      const { file, start = 0 } = diagnostic;
      if (!file) return text;
      return `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}: ${text}`;
    });
    assert.deepEqual(problems, []);
  });
}
