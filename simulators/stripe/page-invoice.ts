import type { Reply, WireRequest } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { day, dollars, page } from "./page-layout.ts";
import { find } from "./store.ts";
import type { Simulator } from "./simulator.ts";

/** An invoice as its customer sees it; the address is its only key. */
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
