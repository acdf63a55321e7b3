import type Stripe from "stripe";
import { readSetting, writeSetting } from "../kit/sqlite.ts";
import { changedAddress, changedShipping } from "./addresses.ts";
import { emit } from "./events.ts";
import { changedMetadata, choice, email, group, integer, text, texts, type Form } from "./form.ts";
import { attach, attachedMethod, findMethod } from "./payment-methods.ts";
import { need, newId, remove, save } from "./store.ts";
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
  const card = text(form, "payment_method");
  const attached = card ? attach(sim, findMethod(sim, card).id, customer.id) : null;
  const settings = group(form, "invoice_settings");
  // An alias of a test card makes a new card each time, but as payment method and default of one call it is
  // the same card.
  const isDefault = attached !== null && text(settings, "default_payment_method") === card;
  const next = change(
    sim,
    customer,
    isDefault ? { ...form, invoice_settings: { ...settings, default_payment_method: attached.id } } : form,
  );
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
  if (method)
    attachedMethod(sim, {
      id: method,
      customer: customer.id,
      param: "invoice_settings[default_payment_method]",
    });
  const mail = email(form, "email");
  const kept = (name: "name" | "description" | "phone") =>
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
    email: mail === undefined ? customer.email : mail || null,
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

/** Deletes a customer; later reads report the deletion. */
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
