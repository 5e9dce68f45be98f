// The words of the C++ headers and of the package are the same, in the same order: an enum goes to
// C++ as its place in the list.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const posenc = { ...(await import("posenc/all")) };
const read = (name) => readFileSync(new URL(`../../src/posenc/${name}`, import.meta.url), "utf8");

/** The enumerators of `enum class name` in a header. */
function enumerators(header, name) {
  const body = new RegExp(`enum class ${name}[^{]*{([^}]*)}`).exec(read(header))[1];
  const code = body.replace(/\/\/.*$/gm, "");
  return code.match(/[a-z]\w*/g);
}

const lists = {
  SINUSOIDAL_LAYOUTS: ["additive/sinusoidal.hpp", "SinusoidalLayout"],
  SINUSOIDAL_ORDERS: ["additive/sinusoidal.hpp", "SinusoidalOrder"],
  ODD_WIDTHS: ["additive/sinusoidal.hpp", "OddWidth"],
  SINCOS_GRID_LAYOUTS: ["additive/sincos_grid.hpp", "SincosGridLayout"],
  AXIS_ORDERS: ["additive/sincos_grid.hpp", "AxisOrder"],
  CELL_ORDERS: ["core/grid.hpp", "CellOrder"],
  DETR_ORDERS: ["additive/detr_sine.hpp", "DetrOrder"],
  MULTISCALE_COMBINES: ["additive/multiscale.hpp", "MultiscaleCombine"],
  INTERPOLATION_MODES: ["interpolate/interpolate.hpp", "InterpolationMode"],
  GRID_SPACINGS: ["interpolate/interpolate.hpp", "GridSpacing"],
  ROPE_LAYOUTS: ["core/rope_layout.hpp", "RopeLayout"],
  ROPE_ANGLES: ["rotary/rope.hpp", "Angles"],
  ROTARY_ORDERS: ["rotary/rope.hpp", "RotaryOrder"],
  ROTARY_SIDES: ["rotary/rope.hpp", "RotarySide"],
  AXIAL_BANDS: ["rotary/axes.hpp", "AxialBands"],
  AXIAL_ORDERS: ["rotary/axes.hpp", "AxialOrder"],
  GRID_COORDINATES: ["core/grid_positions.hpp", "GridCoordinates"],
  GRID_EXTENTS: ["core/grid_positions.hpp", "GridExtent"],
  ALIBI_SLOPES: ["bias/alibi.hpp", "AlibiSlopes"],
  ALIBI_FORMS: ["bias/alibi.hpp", "AlibiForm"],
  KERPLE_KINDS: ["bias/kerple.hpp", "KerpleKind"],
  SWIN_COORDINATES: ["bias/swin_cpb.hpp", "SwinCoordinates"],
  STORAGE_TYPES: ["core/storage.hpp", "StorageType"],
};

for (const [list, [header, name]] of Object.entries(lists)) {
  test(`${list} is ${name}`, () => assert.deepEqual(posenc[list], enumerators(header, name)));
}

/** Alternatives of a variant, StaticNtk as static_ntk; NoScaling is none. */
const variants = {
  ROPE_SCALINGS: ["rotary/scaling.hpp", "RopeScaling"],
  ROPE_AXES: ["rotary/axes.hpp", "RopeAxes"],
};

for (const [list, [header, name]] of Object.entries(variants)) {
  test(`${list} are the alternatives of ${name}`, () => {
    const names = new RegExp(`${name} = std::variant<([^>]*)>`).exec(read(header))[1];
    const words = names.split(",").map((struct) => snakeCase(struct.trim()));
    assert.deepEqual(
      posenc[list],
      words.map((word) => (word === "no_scaling" ? "none" : word)),
    );
  });
}

function snakeCase(name) {
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

test("every list of words that the package exports is compared", () => {
  const words = Object.keys(posenc).filter((name) => Array.isArray(posenc[name]));
  const compared = [...Object.keys(lists), ...Object.keys(variants), "CODES"];
  assert.deepEqual(words.sort(), compared.sort());
});

test("CODES begin with those of C++, as code_name spells them", () => {
  const spelt = [...read("core/status.cpp").matchAll(/return "([A-Z_]+)"/g)].map(
    ([, word]) => word,
  );
  const codes = [...new Set(spelt)].filter((word) => word !== "OK");
  assert.deepEqual(posenc.CODES.slice(0, codes.length), codes);
  const named = enumerators("core/status.hpp", "Code").map((name) => name.toUpperCase());
  assert.deepEqual(codes, named.slice(1));
});
