import type Stripe from "stripe";
import { changedAddress, readAddress } from "./addresses.ts";
import { invalid, missing, StripeFault } from "./api-error.ts";
import {
  cardDetails,
  readBehavior,
  behaviorForNumber,
  declineFacts,
  saveBehavior,
  passesCheckDigit,
  TEST_IDS,
} from "./cards.ts";
import { emit } from "./events.ts";
import { changedMetadata, email, group, required, text, type Form } from "./form.ts";
import { all, find, toId, idOrNull, need, newId, save } from "./store.ts";
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

/** Creates a payment method from a card's details, as sent by the card form or a server. */
export function createMethod(sim: Simulator, form: Form): Stripe.PaymentMethod {
  if (required(form, "type") !== "card")
    throw invalid("Only payment methods of type card are simulated.", { param: "type" });
  const card = group(form, "card");
  const token = text(card, "token");
  if (token) return createCard(sim, form, { number: findTokenNumber(token), month: 12, year: nextYear(sim) });
  const number = required(card, "number").replaceAll(/\s/g, "");
  if (!/^\d{12,19}$/.test(number) || !passesCheckDigit(number)) throw cardFault("incorrect_number", "number");
  const year = Number(required(card, "exp_year"));
  const month = Number(required(card, "exp_month"));
  if (!(month >= 1 && month <= 12)) throw cardFault("invalid_expiry_month", "exp_month");
  return createCard(sim, form, { number, month, year: year < 100 ? 2000 + year : year });
}

function createCard(
  sim: Simulator,
  form: Form,
  card: { number: string; month: number; year: number },
): Stripe.PaymentMethod {
  const behavior = behaviorForNumber(card.number);
  const details = group(form, "billing_details");
  const method = save(sim, "payment_method", {
    id: newId("pm_"),
    object: "payment_method",
    billing_details: {
      address: readAddress(group(details, "address")),
      email: email(details, "email") ?? null,
      name: text(details, "name") ?? null,
      phone: text(details, "phone") ?? null,
    },
    card: cardDetails(behavior, card),
    created: machineNow(sim),
    customer: null,
    livemode: false,
    metadata: changedMetadata({}, form),
    type: "card",
  });
  saveBehavior(sim, method.id, behavior);
  return method;
}

/**
 * Finds a method by id. A Stripe test id makes a new method with that card each time.
 * @throws StripeFault 404 if there is none
 */
export function findMethod(sim: Simulator, id: string, param = "payment_method"): Stripe.PaymentMethod {
  const number = TEST_IDS[id];
  if (number) return createCard(sim, {}, { number, month: 12, year: nextYear(sim) });
  const found = find(sim, "payment_method", id);
  if (!found) throw missing("PaymentMethod", id, param);
  return found;
}

/** Changes a card's holder or metadata. */
export function updateMethod(sim: Simulator, id: string, form: Form): Stripe.PaymentMethod {
  const known = findMethod(sim, id, "id");
  const details = group(form, "billing_details");
  const mail = email(details, "email");
  const kept = (name: "name" | "phone") =>
    details[name] === undefined ? known.billing_details[name] : text(details, name) || null;
  return save(sim, "payment_method", {
    ...known,
    billing_details: {
      address: changedAddress(details, "address", known.billing_details.address),
      email: mail === undefined ? known.billing_details.email : mail || null,
      name: kept("name"),
      phone: kept("phone"),
    },
    metadata: changedMetadata(known.metadata, form),
  });
}

/**
 * Attaches a method; refuses a card that cannot even be saved.
 * @throws StripeFault 402 for a declined card
 */
export function attachMethod(sim: Simulator, id: string, form: Form): Stripe.PaymentMethod {
  const method = findMethod(sim, id);
  const { decline, attaches } = readBehavior(sim, method.id);
  if (decline && !attaches)
    throw new StripeFault({ status: 402, type: "card_error", ...declineFacts(decline) });
  return attach(sim, method.id, required(form, "customer"));
}

function findTokenNumber(token: string): string {
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

/**
 * Finds a method that a payment of this customer may use: the customer's own or unattached. @throws
 * StripeFault 400 for another customer's
 */
export function ownMethod(sim: Simulator, id: string, customer: string | null): Stripe.PaymentMethod {
  const method = findMethod(sim, id);
  const owner = idOrNull(method.customer);
  if (owner === null || owner === customer) return method;
  throw invalid(
    customer === null
      ? `The payment method supplied (${id}) belongs to a Customer. Please include the Customer in the \`customer\` parameter.`
      : `The PaymentMethod ${id} does not belong to the Customer you supplied ${customer}. Please use this PaymentMethod with the Customer that it belongs to instead.`,
    { param: "payment_method" },
  );
}

/**
 * Finds a method attached to this customer, as required for a default. @throws StripeFault 400 for any other
 */
export function attachedMethod(
  sim: Simulator,
  { id, customer, param }: { id: string; customer: string; param: string },
): Stripe.PaymentMethod {
  const method = find(sim, "payment_method", id);
  if (method && idOrNull(method.customer) === customer) return method;
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    { param, code: "resource_missing" },
  );
}

/** Attaches a payment method to a customer. @throws StripeFault 400 for another customer's */
export function attach(sim: Simulator, methodId: string, customerId: string): Stripe.PaymentMethod {
  const method = need(sim, "payment_method", { id: methodId, param: "payment_method" });
  need(sim, "customer", { id: customerId, param: "customer" });
  if (method.customer && method.customer !== customerId)
    throw invalid("The payment method you provided has already been attached to a customer.", {
      param: "payment_method",
    });
  const attached = save(sim, "payment_method", { ...method, customer: customerId });
  emit(sim, "payment_method.attached", attached);
  return attached;
}

export function detach(sim: Simulator, methodId: string): Stripe.PaymentMethod {
  const method = save(sim, "payment_method", {
    ...need(sim, "payment_method", { id: methodId }),
    customer: null,
  });
  emit(sim, "payment_method.detached", method);
  return method;
}

/** Finds the method to charge for a subscription: its own, else its customer's default. */
export function findChargeMethod(
  sim: Simulator,
  subscription: Stripe.Subscription,
): Stripe.PaymentMethod | null {
  const own = subscription.default_payment_method;
  if (own) return find(sim, "payment_method", toId(own)) ?? null;
  const customer = find(sim, "customer", toId(subscription.customer));
  const theirs = customer?.invoice_settings.default_payment_method;
  return theirs ? (find(sim, "payment_method", toId(theirs)) ?? null) : null;
}

export const listCards = (sim: Simulator, customerId: string): Stripe.PaymentMethod[] =>
  all(sim, "payment_method", customerId);
