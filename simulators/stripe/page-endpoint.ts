import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply, WireRequest } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { transaction } from "../kit/sqlite.ts";
import { runDue } from "./lifecycle.ts";
import { challengePage, cardFrame } from "./page-elements.ts";
import { homePage } from "./page-home.ts";
import { invoicePage } from "./page-invoice.ts";
import { page } from "./page-layout.ts";
import { portalPage } from "./page-portal.ts";
import type { Simulator } from "./simulator.ts";

const ASSETS: Record<string, string> = {
  "elements.js": "text/javascript",
  "card-frame.js": "text/javascript",
  "challenge.js": "text/javascript",
  "frame.css": "text/css",
  "page.css": "text/css",
};

/** Where Stripe.js is: the release that takes any API version, and those that bring one of their own. */
const SCRIPT = /^\/(?:v3\/?|(?:acacia|basil|clover|dahlia|endive)\/stripe\.js)$/;

/** Answers what browsers open: the script of Stripe.js, the card form, the portal, invoices. */
export function pageEndpoint(sim: Simulator, request: WireRequest): Reply {
  const [, first = "", second = "", third = ""] = request.url.pathname.split("/");
  if (SCRIPT.test(request.url.pathname)) return asset("elements.js");
  if (first === "_assets") return asset(second);
  const found = transaction(sim.db, () => {
    runDue(sim);
    if (first === "" && request.method === "GET") return homePage(sim);
    if (first === "elements" && second === "card") return cardFrame();
    if (first === "elements" && second === "challenge") return challengePage(sim, third, request);
    if (first === "p" && second === "session") return portalPage(sim, request);
    return first === "i" ? invoicePage(sim, request) : undefined;
  });
  return found ?? nothing();
}

function asset(name: string): Reply {
  const type = ASSETS[name];
  if (!type) return nothing();
  return {
    status: 200,
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-cache",
      "access-control-allow-origin": "*",
      // Pages of another origin run the script.
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    },
    body: readFileSync(join(import.meta.dirname, "assets", name)),
  };
}

const nothing = (): Reply =>
  page({
    title: "Not found",
    status: 404,
    content: html`<main>
      <h1>Nothing here</h1>
      <p>This page of the simulated Stripe does not exist or has expired.</p>
    </main>`,
  });
