import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply, WireRequest } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { transaction } from "../kit/sqlite.ts";
import { runDue } from "./lifecycle.ts";
import { challengePage, cardFrame } from "./page-elements.ts";
import { page, dollars, day } from "./page-layout.ts";
import { portalPage } from "./page-portal.ts";
import type { Simulator } from "./simulator.ts";
import { all, find, toId } from "./store.ts";

const ASSETS: Record<string, string> = {
  "elements.js": "text/javascript",
  "card-frame.js": "text/javascript",
  "challenge.js": "text/javascript",
  "frame.css": "text/css",
  "page.css": "text/css",
};

/** Paths of Stripe.js: the release for any API version, and those tied to a version. */
const SCRIPT = /^\/(?:v3\/?|(?:acacia|basil|clover|dahlia|endive)\/stripe\.js)$/;

/** Answers browser requests: Stripe.js, the card form, the portal, invoices. */
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

/** Home page: products and subscriptions of the simulated account. */
export function homePage(sim: Simulator): Reply {
  const prices = all(sim, "price").filter(({ active }) => active);
  const subscriptions = all(sim, "subscription").slice(0, 100);
  return page({
    title: "Account",
    content: html`<main>
      <h1>Account</h1>
      <p>
        Nothing here moves money. The product on this machine sells these subscriptions to its demo companies.
      </p>
      <h2>Products</h2>
      <ul class="rows">
        ${prices.map(
          (price) =>
            html`<li>
              <b>${find(sim, "product", toId(price.product))?.name}</b>
              <span>${dollars(price.unit_amount ?? 0)} / ${price.recurring?.interval ?? "once"}</span>
            </li>`,
        )}
      </ul>
      <h2>Subscriptions</h2>
      ${subscriptions.length === 0 ? html`<p>There is none yet.</p>` : ""}
      <ul class="rows">
        ${subscriptions.map(
          (each) =>
            html`<li>
              <span
                ><b>${find(sim, "customer", toId(each.customer))?.name ?? each.id}</b><br /><small
                  >${each.id}</small
                ></span
              >
              <span>${each.status}, until ${day(each.current_period_end)}</span>
            </li>`,
        )}
      </ul>
    </main>`,
  });
}

/** An invoice as its customer sees it; knowing the address is enough to open it. */
export function invoicePage(sim: Simulator, request: WireRequest): Reply | undefined {
  const [, , id = ""] = request.url.pathname.split("/");
  const invoice = find(sim, "invoice", id);
  if (!invoice || invoice.hosted_invoice_url !== `${sim.publicUrl}${request.url.pathname}`) return undefined;
  return page({
    title: `Invoice ${invoice.number}`,
    content: html`<main>
      <h1>${invoice.status === "paid" ? "Receipt" : "Invoice"} ${invoice.number}</h1>
      <p>For ${invoice.customer_name ?? invoice.customer_email}, ${day(invoice.created)}</p>
      <ul class="rows">
        ${invoice.lines.data.map(
          (line) =>
            html`<li>
              <span
                >${line.description}<br /><small
                  >${day(line.period.start)} to ${day(line.period.end)}</small
                ></span
              >
              <span>${dollars(line.amount)}</span>
            </li>`,
        )}
        <li><b>Total</b><b>${dollars(invoice.total)}</b></li>
      </ul>
      <p>
        ${invoice.status === "paid" ? "Paid. Thank you." : `${dollars(invoice.amount_remaining)} is due.`}
      </p>
    </main>`,
  });
}
