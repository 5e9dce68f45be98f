// What Embind makes when a module starts, without what no binding here needs, which a page would load
// for nothing.
const library = {
  // No function is overloaded.
  $exposePublicSymbol: (name, value) => {
    Module[name] = value;
  },
  $exposePublicSymbol__deps: [],
  $replacePublicSymbol: (name, value) => {
    Module[name] = value;
  },
  $replacePublicSymbol__deps: [],
  // Every type is registered.
  $throwUnboundTypeError: (message) => {
    throw new Error(message);
  },
  $throwUnboundTypeError__deps: [],
};
// And of these no binding takes or gives any.
for (const type of ["bigint", "emval", "memory_view", "std_string", "std_wstring"]) {
  library[`_embind_register_${type}`] = () => {};
  library[`_embind_register_${type}__deps`] = [];
}
addToLibrary(library);
