import type { Reply } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { dollars, day, page } from "./page-layout.ts";
import { all, find, toId } from "./store.ts";
import type { Simulator } from "./simulator.ts";

/** What the simulated account sells and to whom, for whoever looks at the demo. */
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
