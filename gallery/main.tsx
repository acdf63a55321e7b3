import "#web/fonts.css";
import { Providers } from "#web/app.tsx";
import { Frame } from "#web/frame/frame.tsx";
import { consoleReporter } from "#web/kit/reporter.ts";
import { SessionContext } from "#web/kit/session/session.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { GalleryPage } from "./page.tsx";
import { olive } from "./stage.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root.");

createRoot(root).render(
  <StrictMode>
    <BrowserRouter>
      <Providers reporter={consoleReporter}>
        <SessionContext value={olive}>
          <Frame>
            <GalleryPage />
          </Frame>
        </SessionContext>
      </Providers>
    </BrowserRouter>
  </StrictMode>,
);
