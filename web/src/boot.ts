// Runs before the first paint: the theme that was chosen, so that nothing flashes.
try {
  const kept = localStorage.getItem("engram.theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch {
  // Nothing was kept.
}
export {};
