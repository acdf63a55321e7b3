import "#web/fonts.css";
import "#web/home/home.css";
import { App } from "#web/app.tsx";
import { createPageReporter } from "#web/reporting/page-reporter.ts";
import { loadPage } from "#web/routes.tsx";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");

// First, so that errors of the start are reported too.
const reporter = createPageReporter();

/** If a page takes longer, its frame and a spinner are shown first. */
const WAIT_FOR_PAGE_MS = 2_000;

// Keeps the server's markup until the page can replace it at once.
const late = new Promise<void>((resolve) => setTimeout(resolve, WAIT_FOR_PAGE_MS));
await Promise.race([loadPage(window.location.pathname).catch(() => undefined), late]);

document.getElementById("failed")?.remove();
createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <App reporter={reporter} />
    </BrowserRouter>
  </StrictMode>,
);
