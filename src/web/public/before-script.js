// What must not wait for the page's own script; a file, because the content security policy allows no inline script.
(function () {
  var mode = "system";
  try {
    mode = localStorage.getItem("colorMode") || "system";
  } catch {
    // Blocked storage: follow the system.
  }
  var dark = mode === "dark" || (mode === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-color-scheme", dark ? "dark" : "light");

  // Else the empty page has the system's color until the page's own script has run. Not printed: paper is white.
  var ground = new CSSStyleSheet();
  ground.replaceSync(
    '@media screen { html[data-color-scheme="light"] { color-scheme: light; background: #fff } html[data-color-scheme="dark"] { color-scheme: dark; background: #121212 } }',
  );
  document.adoptedStyleSheets = [ground];

  // The page starts with the company that this browser remembers, else with the user's first: another's name is not shown.
  var company = null;
  var noticeHidden = false;
  try {
    company = localStorage.getItem("realmId");
    noticeHidden = sessionStorage.getItem("demoNoticeHidden") === "1";
  } catch {
    // Blocked storage remembers nothing.
  }
  var isKnown = /^\d+$/.test(company || "");
  var isOther = isKnown ? ':not([data-company="' + company + '"])' : '[data-is-first="false"]';
  ground.insertRule(".plain .line" + isOther + " { visibility: hidden }");
  if (noticeHidden) ground.insertRule(".plain aside { display: none !important }");
})();

// The page's script takes the element `failed` away when it starts. As long as it is there, nothing has started.
(function () {
  var LATE_MS = 30000;

  function showFailure() {
    var block = document.getElementById("failed");
    if (block) block.hidden = false;
  }

  // The same note that a page leaves whose own chunk is gone, so that together they reload once and no more.
  function reloadedAlready() {
    try {
      if (sessionStorage.getItem("reloadedFor") === location.pathname) return true;
      sessionStorage.setItem("reloadedFor", location.pathname);
      return false;
    } catch {
      return true;
    }
  }

  function onFailure(event) {
    if (!document.getElementById("failed") && document.readyState !== "loading") return;
    var missing = event.target instanceof HTMLScriptElement && event.target.type === "module";
    if (missing && !reloadedAlready()) location.reload();
    else if (missing || event.target === window) showFailure();
  }

  addEventListener("error", onFailure, true);
  addEventListener("unhandledrejection", onFailure);
  setTimeout(showFailure, LATE_MS);
})();
