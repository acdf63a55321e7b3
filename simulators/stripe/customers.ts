import type Stripe from "stripe";
import { emit } from "./events.ts";
import { changedMetadata, group, text, type Form } from "./form.ts";
import { all, find, idOf, need, newId, remove, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { machineNow } from "./times.ts";

export const CUSTOMER_FIELDS = [
  "address",
  "description",
  "email",
  "invoice_settings",
  "metadata",
  "name",
  "payment_method",
  "phone",
  "preferred_locales",
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

export function deleteCustomer(sim: Simulator, id: string): object {
  const customer = need(sim, "customer", { id });
  remove(sim, id);
  emit(sim, "customer.deleted", customer);
  return { id, object: "customer", deleted: true };
}

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
