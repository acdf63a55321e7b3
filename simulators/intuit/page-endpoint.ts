import { redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { authorizeDecision, authorizePage } from "./authorize.ts";
import { page } from "./page-layout.ts";
import { styleSheet } from "./page-style.ts";
import type { Simulator } from "./simulator.ts";

/** Pages for people: consent, and the simulated books. */
export function pageEndpoint(sim: Simulator, request: WireRequest): Reply {
  const path = request.url.pathname.replace(/(.)\/$/, "$1");
  switch (`${request.method} ${path}`) {
    case "GET /_assets/simulated.css":
      return styleSheet();
    case "GET /connect/oauth2":
      return authorizePage(sim, request);
    case "POST /connect/oauth2":
      return authorizeDecision(sim, request);
    case "GET /qbo":
      return redirect("/");
    default:
      return page({ title: "Not found", content: html`<main class="card narrow"><h1>There is no such page</h1></main>`, status: 404 });
  }
}
