// The explorer in a real browser. One process, one build and one browser for all its tests.
import { after, before, describe } from "node:test";
import { accessTests } from "./access.mjs";
import { addressTests } from "./address.mjs";
import { controlTests } from "./controls.mjs";
import { pictureTests } from "./pictures.mjs";
import { startSite, stopSite } from "./site.mjs";

/** Filled in before the first test runs. */
const site = {};

before(async () => Object.assign(site, await startSite()), { timeout: 120_000 });
after(() => stopSite(site));

describe("pictures", () => pictureTests(site));
describe("controls", () => controlTests(site));
describe("address", () => addressTests(site));
describe("access", () => accessTests(site));
