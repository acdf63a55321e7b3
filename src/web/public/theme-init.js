// Sets the colour scheme before the first paint; a file, because the content security policy allows no inline script.
(function () {
  var mode = "system";
  try {
    mode = localStorage.getItem("colorMode") || "system";
  } catch {
    // Blocked storage: follow the system.
  }
  var dark = mode === "dark" || (mode === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-color-scheme", dark ? "dark" : "light");
})();
