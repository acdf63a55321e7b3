import type Stripe from "stripe";
import { group, text, type Form } from "./form.ts";

/** An address of a form; what is not given is empty. */
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

/** The address below a name: as it was when none is given, and none when it is cleared. */
export function changedAddress<T>(form: Form, name: string, known: T): T | Stripe.Address | null {
  if (form[name] === undefined) return known;
  return form[name] === "" ? null : readAddress(group(form, name));
}
