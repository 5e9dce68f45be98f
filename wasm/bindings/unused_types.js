// Embind registers every type that it knows when a module starts. No binding takes or gives these,
// and what would convert them is a seventh of the JavaScript that a page loads.
const unused = ["bigint", "emval", "memory_view", "std_string", "std_wstring"];
const library = {};
for (const type of unused) {
  library[`_embind_register_${type}`] = () => {};
  library[`_embind_register_${type}__deps`] = [];
}
addToLibrary(library);
