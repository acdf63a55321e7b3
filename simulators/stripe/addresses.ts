import type Stripe from "stripe";
import { group, required, text, type Form } from "./form.ts";

/** Reads an address; absent parts are null. */
export function readAddress(form: Form): Stripe.Address {
  const part = (name: string) => text(form, name) || null;
  return {
    city: part("city"),
    country: part("country"),
    line1: part("line1"),
    line2: part("line2"),
    postal_code: part("postal_code"),
    state: part("state"),
  };
}

/** Address of a field after a change: unchanged if absent, null if cleared. */
export function changedAddress<T>(form: Form, name: string, known: T): T | Stripe.Address | null {
  if (form[name] === undefined) return known;
  return form[name] === "" ? null : readAddress(group(form, name));
}

type Shipping = Stripe.Customer.Shipping;

/** Shipping address after a change: unchanged if absent, null if cleared. */
export function changedShipping<T>(form: Form, known: T): T | Shipping | null {
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
