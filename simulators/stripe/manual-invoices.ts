import type Stripe from "stripe";
import { invalid } from "./api-error.ts";
import { currency } from "./currencies.ts";
import { emit } from "./events.ts";
import { changedMetadata, choice, flag, integer, required, text, type Form } from "./form.ts";
import { createItem } from "./invoice-items.ts";
import { draft, finalize, toItemLine, takeItemLines, withLines } from "./invoices.ts";
import { all, find, idOrNull, need, remove, save } from "./store.ts";
import type { Simulator } from "./simulator.ts";
import { DAY } from "./times.ts";

export const CHANGE_FIELDS = [
  "auto_advance",
  "collection_method",
  "days_until_due",
  "default_payment_method",
  "description",
  "due_date",
  "footer",
  "metadata",
  "statement_descriptor",
] as const;
export const INVOICE_FIELDS = [
  ...CHANGE_FIELDS,
  "currency",
  "customer",
  "pending_invoice_items_behavior",
  "subscription",
] as const;

/** Creates a draft for a customer. Includes items added before only on request. */
export function createInvoice(sim: Simulator, form: Form): Stripe.Invoice {
  const customerId = required(form, "customer");
  need(sim, "customer", { id: customerId, param: "customer" });
  const of = text(form, "subscription");
  const subscription = of ? need(sim, "subscription", { id: of, param: "subscription" }) : null;
  const made = draft(sim, { subscription, lines: [], reason: "manual", customerId });
  const behavior = choice(form, "pending_invoice_items_behavior", ["exclude", "include"]);
  const filled = behavior === "include" ? withLines(made, takeItemLines(sim, made)) : made;
  return save(sim, "invoice", {
    ...filled,
    currency: currency(form) ?? made.currency,
    ...changedSettings(made, form),
  });
}

export function updateInvoice(sim: Simulator, id: string, form: Form): Stripe.Invoice {
  const known = need(sim, "invoice", { id });
  const next = save(sim, "invoice", { ...known, ...changedSettings(known, form) });
  emit(sim, "invoice.updated", next);
  return next;
}

function changedSettings(known: Stripe.Invoice, form: Form): Partial<Stripe.Invoice> {
  const collection = choice(form, "collection_method", ["charge_automatically", "send_invoice"]);
  const days = integer(form, "days_until_due");
  const due = integer(form, "due_date") ?? (days === undefined ? undefined : known.created + days * DAY);
  if (collection === "send_invoice" && due === undefined) required(form, "days_until_due");
  const kept = (name: "default_payment_method" | "description" | "footer" | "statement_descriptor") =>
    form[name] === undefined ? known[name] : text(form, name) || null;
  return {
    auto_advance: flag(form, "auto_advance") ?? known.auto_advance ?? true,
    collection_method: collection ?? known.collection_method,
    default_payment_method: kept("default_payment_method") as string | null,
    description: kept("description") as string | null,
    due_date: due ?? known.due_date,
    footer: kept("footer") as string | null,
    metadata: changedMetadata(known.metadata, form),
    statement_descriptor: kept("statement_descriptor") as string | null,
  };
}

/** Deletes a draft without a trace; its items wait for another invoice. */
export function deleteInvoice(sim: Simulator, id: string): object {
  const known = need(sim, "invoice", { id });
  requireDraft(known, "You can only delete draft invoices.");
  for (const item of all(sim, "invoiceitem", idOrNull(known.customer)))
    if (idOrNull(item.invoice) === id) save(sim, "invoiceitem", { ...item, invoice: null });
  remove(sim, id);
  emit(sim, "invoice.deleted", known);
  return { id, object: "invoice", deleted: true };
}

export function sendInvoice(sim: Simulator, id: string): Stripe.Invoice {
  const known = need(sim, "invoice", { id });
  const sent = known.status === "draft" ? finalize(sim, known) : known;
  emit(sim, "invoice.sent", sent);
  return sent;
}

export function giveUpInvoice(sim: Simulator, id: string): Stripe.Invoice {
  const known = need(sim, "invoice", { id });
  if (known.status !== "open") throw invalid("You can only mark open invoices as uncollectible.");
  const next = save(sim, "invoice", { ...known, status: "uncollectible", next_payment_attempt: null });
  emit(sim, "invoice.marked_uncollectible", next);
  return next;
}

/** Adds an amount to a given draft, else to the customer's next invoice. */
export function addItem(sim: Simulator, form: Form): Stripe.InvoiceItem {
  const id = text(form, "invoice");
  const invoice = id ? need(sim, "invoice", { id, param: "invoice" }) : null;
  if (invoice) requireDraft(invoice, "This invoice is no longer editable.");
  const item = createItem(sim, form);
  if (!invoice) return item;
  const added = save(sim, "invoiceitem", { ...item, invoice: invoice.id });
  save(sim, "invoice", withLines(invoice, [...invoice.lines.data, toItemLine(added)]));
  return added;
}

export function updateItem(sim: Simulator, id: string, form: Form): Stripe.InvoiceItem {
  const known = need(sim, "invoiceitem", { id });
  const invoice = find(sim, "invoice", idOrNull(known.invoice) ?? "");
  if (invoice) requireDraft(invoice, "The invoice of this item is no longer editable.");
  const next = save(sim, "invoiceitem", {
    ...known,
    amount: integer(form, "amount") ?? known.amount,
    description: form["description"] === undefined ? known.description : text(form, "description") || null,
    metadata: changedMetadata(known.metadata, form),
  });
  const lines = invoice?.lines.data.map((line) =>
    idOrNull(line.invoice_item) === id
      ? { ...line, amount: next.amount, description: next.description }
      : line,
  );
  if (invoice && lines) save(sim, "invoice", withLines(invoice, lines));
  return next;
}

export function deleteItem(sim: Simulator, id: string): object {
  const item = need(sim, "invoiceitem", { id });
  const invoice = find(sim, "invoice", idOrNull(item.invoice) ?? "");
  if (invoice) {
    requireDraft(invoice, "The invoice of this item is no longer editable.");
    const rest = invoice.lines.data.filter((line) => idOrNull(line.invoice_item) !== id);
    save(sim, "invoice", withLines(invoice, rest));
  }
  remove(sim, id);
  emit(sim, "invoiceitem.deleted", item);
  return { id, object: "invoiceitem", deleted: true };
}

function requireDraft({ status }: Stripe.Invoice, message: string): void {
  if (status !== "draft") throw invalid(message, { code: "invoice_not_editable" });
}
