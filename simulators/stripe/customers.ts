import type Stripe from "stripe";
import { readSetting, writeSetting } from "../kit/sqlite.ts";
import { changedAddress, readAddress } from "./addresses.ts";
import { emit } from "./events.ts";
import { changedMetadata, choice, group, integer, required, text, texts, type Form } from "./form.ts";
import { all, find, idOf, need, newId, remove, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

export const CUSTOMER_FIELDS = [
  "address",
  "balance",
  "description",
  "email",
  "invoice_settings",
  "metadata",
  "name",
  "payment_method",
  "phone",
  "preferred_locales",
  "shipping",
  "tax_exempt",
  "test_clock",
] as const;

export function createCustomer(sim: Simulator, form: Form): Stripe.Customer {
  const clock = text(form, "test_clock");
  if (clock) need(sim, "test_helpers.test_clock", { id: clock, param: "test_clock" });
  const customer = save(sim, "customer", {
    id: newId("cus_", 14),
    object: "customer",
    address: null,
    balance: 0,
    created: machineNow(sim),
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: newId("", 8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: clock ?? null,
  });
  const next = change(sim, customer, form);
  const method = text(form, "payment_method");
  if (method) attach(sim, method, next.id);
  emit(sim, "customer.created", next);
  return next;
}

export function updateCustomer(sim: Simulator, id: string, form: Form): Stripe.Customer {
  const next = change(sim, need(sim, "customer", { id }), form);
  emit(sim, "customer.updated", next);
  return next;
}

function change(sim: Simulator, customer: Stripe.Customer, form: Form): Stripe.Customer {
  const settings = group(form, "invoice_settings");
  const method = text(settings, "default_payment_method");
  if (method) need(sim, "payment_method", { id: method, param: "invoice_settings[default_payment_method]" });
  const kept = (name: "email" | "name" | "description" | "phone") =>
    form[name] === undefined ? (customer[name] ?? null) : text(form, name) || null;
  return save(sim, "customer", {
    ...customer,
    address: changedAddress(form, "address", customer.address ?? null),
    balance: integer(form, "balance") ?? customer.balance,
    preferred_locales: form["preferred_locales"]
      ? texts(form, "preferred_locales")
      : (customer.preferred_locales ?? null),
    shipping: changedShipping(form, customer.shipping),
    tax_exempt: choice(form, "tax_exempt", ["none", "exempt", "reverse"]) ?? customer.tax_exempt ?? "none",
    email: kept("email"),
    name: kept("name") ?? null,
    description: kept("description"),
    phone: kept("phone") ?? null,
    metadata: changedMetadata(customer.metadata, form),
    invoice_settings: {
      ...customer.invoice_settings,
      ...(method === undefined ? {} : { default_payment_method: method || null }),
    },
  });
}

function changedShipping(
  form: Form,
  known: Stripe.Customer.Shipping | null,
): Stripe.Customer.Shipping | null {
  if (form["shipping"] === undefined) return known;
  if (form["shipping"] === "") return null;
  const shipping = group(form, "shipping");
  const phone = text(shipping, "phone");
  return {
    address: readAddress(group(shipping, "address")),
    name: required(shipping, "name"),
    ...(phone ? { phone } : {}),
  };
}

/** Forgets a customer; who asks for it reads that it was deleted. */
export function deleteCustomer(sim: Simulator, id: string): object {
  const customer = need(sim, "customer", { id });
  remove(sim, id);
  writeSetting(sim.db, `deleted:${id}`, true);
  emit(sim, "customer.deleted", customer);
  return deleted(id);
}

const deleted = (id: string) => ({ id, object: "customer", deleted: true });

export const readCustomer = (sim: Simulator, id: string): object =>
  readSetting<boolean>(sim.db, `deleted:${id}`) ? deleted(id) : need(sim, "customer", { id });

/** Puts a payment method with a customer. */
export function attach(sim: Simulator, methodId: string, customerId: string): Stripe.PaymentMethod {
  const method = need(sim, "payment_method", { id: methodId, param: "payment_method" });
  need(sim, "customer", { id: customerId, param: "customer" });
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

/** What a subscription is charged to: its own method, else its customer's. */
export function methodFor(sim: Simulator, subscription: Stripe.Subscription): Stripe.PaymentMethod | null {
  const own = subscription.default_payment_method;
  if (own) return find(sim, "payment_method", idOf(own)) ?? null;
  const customer = find(sim, "customer", idOf(subscription.customer));
  const theirs = customer?.invoice_settings.default_payment_method;
  return theirs ? (find(sim, "payment_method", idOf(theirs)) ?? null) : null;
}

export const cardsOf = (sim: Simulator, customerId: string): Stripe.PaymentMethod[] =>
  all(sim, "payment_method", customerId);
