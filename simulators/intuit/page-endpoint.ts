import { redirect, type Reply, type WireRequest } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { authorizeDecision, authorizePage } from "./authorize.ts";
import { findCompany } from "./companies.ts";
import { booksAction } from "./page-actions.ts";
import { booksPage } from "./page-books.ts";
import { companiesPage } from "./page-companies.ts";
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
    case "GET /":
      return companiesPage(sim);
    case "GET /qbo":
      return redirect("/");
    default:
      return (
        companyReply(sim, request, path) ?? page({ title: "Not found", content: NOT_FOUND, status: 404 })
      );
  }
}

const NOT_FOUND = html`<main class="card narrow">
  <h1>Page not found</h1>
  <p><a href="/">All companies</a></p>
</main>`;

function companyReply(sim: Simulator, request: WireRequest, path: string): Reply | undefined {
  const company = findCompany(sim, /^\/qbo\/(\d+)/.exec(path)?.[1] ?? "");
  if (!company) return undefined;
  if (request.method === "POST") return booksAction(sim, company, request);
  return path === `/qbo/${company.realmId}` ? booksPage(sim, company, request) : undefined;
}
