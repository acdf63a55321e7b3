import type Stripe from "stripe";
import { changedAddress, readAddress } from "./addresses.ts";
import { invalid, missing, StripeFault } from "./api-error.ts";
import {
  cardDetails,
  conductOf,
  conductOfNumber,
  declineFacts,
  keepConduct,
  passesCheckDigit,
  TEST_IDS,
} from "./cards.ts";
import { attach } from "./customers.ts";
import { changedMetadata, group, required, text, type Form } from "./form.ts";
import { find, newId, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

export const METHOD_FIELDS = [
  "billing_details",
  "card",
  "customer",
  "metadata",
  "payment_method",
  "type",
] as const;

/** Makes a payment method of a card's details, as the card form or a server sends them. */
export function createMethod(sim: Simulator, form: Form): Stripe.PaymentMethod {
  if (required(form, "type") !== "card")
    throw invalid("Only payment methods of type card are simulated.", { param: "type" });
  const card = group(form, "card");
  const token = text(card, "token");
  if (token) return ofNumber(sim, form, { number: numberOfToken(token), month: 12, year: nextYear(sim) });
  const number = required(card, "number").replaceAll(/\s/g, "");
  if (!/^\d{12,19}$/.test(number) || !passesCheckDigit(number)) throw cardFault("incorrect_number", "number");
  const year = Number(required(card, "exp_year"));
  const month = Number(required(card, "exp_month"));
  if (!(month >= 1 && month <= 12)) throw cardFault("invalid_expiry_month", "exp_month");
  return ofNumber(sim, form, { number, month, year: year < 100 ? 2000 + year : year });
}

function ofNumber(
  sim: Simulator,
  form: Form,
  card: { number: string; month: number; year: number },
): Stripe.PaymentMethod {
  const conduct = conductOfNumber(card.number);
  const details = group(form, "billing_details");
  const method = save(sim, "payment_method", {
    id: newId("pm_"),
    object: "payment_method",
    billing_details: {
      address: readAddress(group(details, "address")),
      email: text(details, "email") ?? null,
      name: text(details, "name") ?? null,
      phone: text(details, "phone") ?? null,
    },
    card: cardDetails(conduct, card),
    created: machineNow(sim),
    customer: null,
    livemode: false,
    metadata: changedMetadata({}, form),
    type: "card",
  });
  keepConduct(sim, method.id, conduct);
  return method;
}

/**
 * The method that an id names. An id of Stripe's tests makes a new method of that card each time.
 * @throws StripeFault 404 when there is none
 */
export function methodOf(sim: Simulator, id: string, param = "payment_method"): Stripe.PaymentMethod {
  const number = TEST_IDS[id];
  if (number) return ofNumber(sim, {}, { number, month: 12, year: nextYear(sim) });
  const found = find(sim, "payment_method", id);
  if (!found) throw missing("PaymentMethod", id, param);
  return found;
}

/** Changes whose a card is, or what is noted of it. */
export function updateMethod(sim: Simulator, id: string, form: Form): Stripe.PaymentMethod {
  const known = methodOf(sim, id, "id");
  const details = group(form, "billing_details");
  const kept = (name: "email" | "name" | "phone") =>
    details[name] === undefined ? known.billing_details[name] : text(details, name) || null;
  return save(sim, "payment_method", {
    ...known,
    billing_details: {
      address: changedAddress(details, "address", known.billing_details.address),
      email: kept("email"),
      name: kept("name"),
      phone: kept("phone"),
    },
    metadata: changedMetadata(known.metadata, form),
  });
}

/**
 * Attaches a method, refusing a card that cannot even be kept.
 * @throws StripeFault 402 for a declined card
 */
export function attachMethod(sim: Simulator, id: string, form: Form): Stripe.PaymentMethod {
  const method = methodOf(sim, id);
  const { decline, attaches } = conductOf(sim, method.id);
  if (decline && !attaches)
    throw new StripeFault({ status: 402, type: "card_error", ...declineFacts(decline) });
  return attach(sim, method.id, required(form, "customer"));
}

function numberOfToken(token: string): string {
  const number = TEST_IDS[token];
  if (!number) throw invalid(`No such token: '${token}'`, { param: "card[token]", code: "resource_missing" });
  return number;
}

const nextYear = (sim: Simulator): number => sim.clock.now().getUTCFullYear() + 1;

const CARD_FAULTS = {
  incorrect_number: "Your card number is incorrect.",
  invalid_expiry_month: "Your card's expiration month is invalid.",
};

const cardFault = (code: keyof typeof CARD_FAULTS, param: string) =>
  new StripeFault({ status: 402, type: "card_error", code, message: CARD_FAULTS[code], param });
