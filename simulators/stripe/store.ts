import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import { missing } from "./api-error.ts";
import type { Simulator } from "./simulator.ts";

/** Stored objects by their name in the API. References are ids, never nested objects. */
export type Kinds = {
  customer: Stripe.Customer;
  product: Stripe.Product;
  price: Stripe.Price;
  payment_method: Stripe.PaymentMethod;
  payment_intent: Stripe.PaymentIntent;
  setup_intent: Stripe.SetupIntent;
  subscription: Stripe.Subscription;
  invoice: Stripe.Invoice;
  invoiceitem: Stripe.InvoiceItem;
  charge: Stripe.Charge;
  event: Stripe.Event;
  "billing_portal.session": Stripe.BillingPortal.Session;
  "billing_portal.configuration": Stripe.BillingPortal.Configuration;
  webhook_endpoint: Stripe.WebhookEndpoint;
  "test_helpers.test_clock": Stripe.TestHelpers.TestClock;
};
export type Kind = keyof Kinds;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Creates an id in Stripe's format, such as `sub_1Nv0FGQ9RKHgCVdK`. */
export function newId(prefix: string, length = 24): string {
  const bytes = randomBytes(length);
  return prefix + Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

export function find<K extends Kind>(sim: Simulator, kind: K, id: string): Kinds[K] | undefined {
  const row = sim.db.prepare("SELECT doc FROM object WHERE id = ? AND kind = ?").get(id, kind);
  return row ? (JSON.parse(String(row["doc"])) as Kinds[K]) : undefined;
}

/** Finds an object of any kind, for expansions. */
export function findAny(sim: Simulator, id: string): Record<string, unknown> | undefined {
  const row = sim.db.prepare("SELECT doc FROM object WHERE id = ?").get(id);
  return row ? (JSON.parse(String(row["doc"])) as Record<string, unknown>) : undefined;
}

/** @throws StripeFault 404 if there is none */
export function need<K extends Kind>(
  sim: Simulator,
  kind: K,
  { id, param }: { id: string; param?: string },
): Kinds[K] {
  const found = find(sim, kind, id);
  if (!found) throw missing(kind.replace("test_helpers.", ""), id, param);
  return found;
}

export function save<K extends Kind>(sim: Simulator, kind: K, object: Kinds[K]): Kinds[K] {
  const customer = "customer" in object && object.customer ? toId(object.customer) : null;
  sim.db
    .prepare(
      `INSERT INTO object (id, kind, customer, doc) VALUES (?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET customer = excluded.customer, doc = excluded.doc`,
    )
    .run(object.id, kind, customer, JSON.stringify(object));
  return object;
}

/** Schedules the next automatic change of an object; null for none. */
export function setDue(sim: Simulator, id: string, at: number | null): void {
  sim.db.prepare("UPDATE object SET due_at = ? WHERE id = ?").run(at, id);
}

export function remove(sim: Simulator, id: string): void {
  sim.db.prepare("DELETE FROM object WHERE id = ?").run(id);
}

/** Lists all objects of a kind, newest first, optionally of one customer. */
export function all<K extends Kind>(sim: Simulator, kind: K, customer: string | null = null): Kinds[K][] {
  return sim.db
    .prepare(
      "SELECT doc FROM object WHERE kind = ?1 AND (?2 IS NULL OR customer = ?2) ORDER BY position DESC",
    )
    .all(kind, customer)
    .map((row) => JSON.parse(String(row["doc"])) as Kinds[K]);
}

/** Id of an object that the types allow to be expanded; here it never is. */
export const toId = (reference: string | { id: string }): string =>
  typeof reference === "string" ? reference : reference.id;

export const idOrNull = (reference: string | { id: string } | null | undefined): string | null =>
  reference ? toId(reference) : null;
