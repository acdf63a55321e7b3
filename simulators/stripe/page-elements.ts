import type { Reply, WireRequest } from "../kit/http.ts";
import { html } from "../kit/html.ts";
import { StripeFault } from "./api-error.ts";
import { dollars, page } from "./page-layout.ts";
import { answerHolder } from "./payment-intents.ts";
import { find } from "./store.ts";
import type { Simulator } from "./simulator.ts";

/** Sample cards, one click away. */
const SAMPLES = [
  ["4242 4242 4242 4242", "Pays"],
  ["4000 0000 0000 9995", "Has insufficient funds"],
  ["4000 0027 6000 3184", "Asks you to confirm"],
] as const;

/** Card form. It runs on the simulator's origin, so no page of the product ever sees a card number. */
export function cardFrame(): Reply {
  return page({
    title: "Secure payment input frame",
    isFramed: true,
    script: "card-frame.js",
    content: html`<form id="card" novalidate autocomplete="on">
      <div class="field wide">
        <label for="number">Card number</label>
        <input
          id="number"
          name="number"
          inputmode="numeric"
          autocomplete="cc-number"
          placeholder="1234 1234 1234 1234"
        />
        <p class="fault" id="number-fault" role="alert"></p>
      </div>
      <div class="field">
        <label for="expiry">Expiration date</label>
        <input id="expiry" name="expiry" inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" />
        <p class="fault" id="expiry-fault" role="alert"></p>
      </div>
      <div class="field">
        <label for="cvc">Security code</label>
        <input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" />
        <p class="fault" id="cvc-fault" role="alert"></p>
      </div>
      <div class="field">
        <label for="country">Country</label>
        <select id="country" name="country" autocomplete="country">
          <option value="US">United States</option>
          <option value="CA">Canada</option>
          <option value="GB">United Kingdom</option>
        </select>
      </div>
      <div class="field">
        <label for="postalCode">ZIP code</label>
        <input id="postalCode" name="postalCode" autocomplete="postal-code" placeholder="12345" />
        <p class="fault" id="postalCode-fault" role="alert"></p>
      </div>
      <div class="samples wide">
        <p class="test">Test mode, no money moves</p>
        <details>
          <summary>Test card numbers</summary>
          <ul>
            ${SAMPLES.map(
              ([number, meaning]) =>
                html`<li><button type="button" data-number="${number}">${number}</button> ${meaning}</li>`,
            )}
          </ul>
        </details>
      </div>
    </form>`,
  });
}

/** Page on which the bank asks the cardholder. GET shows it, POST answers. */
export function challengePage(sim: Simulator, id: string, request: WireRequest): Reply | undefined {
  const intent = find(sim, "payment_intent", id);
  const secret = request.url.searchParams.get("client_secret");
  if (!intent || intent.client_secret !== secret) return undefined;
  if (request.method === "POST") return answer(sim, id, request.url.searchParams.get("answer") === "confirm");
  return page({
    title: "Confirm your payment",
    isFramed: true,
    script: "challenge.js",
    content: html`<div class="challenge">
      <p class="test">Simulated bank</p>
      <h1>Confirm your payment</h1>
      <p>Your bank asks whether you are paying <b>${dollars(intent.amount)}</b>.</p>
      <div class="acts">
        <button type="button" class="main" data-answer="confirm">Complete authentication</button>
        <button type="button" data-answer="fail">Fail authentication</button>
      </div>
    </div>`,
  });
}

function answer(sim: Simulator, id: string, isConfirmed: boolean): Reply {
  try {
    answerHolder(sim, id, isConfirmed);
  } catch (error) {
    // If the card is declined after the holder confirmed, the intent shows that.
    if (!(error instanceof StripeFault)) throw error;
  }
  return { status: 204, headers: { "cache-control": "no-store" }, body: "" };
}
