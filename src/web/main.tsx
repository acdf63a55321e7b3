import "#web/fonts.css";
import { App } from "#web/app.tsx";
import { consoleReporter } from "#web/kit/reporter.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");

createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <App reporter={consoleReporter} />
    </BrowserRouter>
  </StrictMode>,
);
