// Runs before the first paint, as a file of its own because the page's policy allows no inline
// script: a remembered theme must not flash the other one.
try {
  const theme = localStorage.getItem("posenc-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's preference then decides.
}
