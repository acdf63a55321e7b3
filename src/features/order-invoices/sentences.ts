import type { UnbilledCharges } from "#features/order-invoices/rules-charged.ts";
import type { Wait } from "#features/order-invoices/rules-draft.ts";
import { listText, VOID_IT, type BookedInvoice, type Pieces } from "#features/orders/index.ts";
import { spellDate } from "#formats/table/dates.ts";
import { centsText } from "#platform/money.ts";

type Reason = Wait | "not_left" | "not_shipped" | "order_waits" | "canceled";

/** Why the invoice of an order is not posted, and what to do. */
export function waitSentence(wait: Reason, po: string): string {
  return `PO # ${po}: ${SENTENCES[wait]}`;
}

/** Advice about an invoice that the retailer has: a credit's document (810 type CR) is not written here. */
export const CREDIT_IT =
  "Create a credit memo in QuickBooks, and send the retailer a credit through its portal.";

const POST_AGAIN = "Post it again if you still want to bill it.";
export const UNDONE = `Its invoice was undone. ${POST_AGAIN}`;
export const VOIDED = `Its invoice was voided or deleted in QuickBooks. ${POST_AGAIN}`;

/**
 * Says how a user of QuickBooks changed an invoice that the retailer has; empty if it says the same as the retailer's.
 * @param now undefined for one that was voided or deleted
 */
export function changedSentence(was: BookedInvoice, now: BookedInvoice | undefined): string {
  const change = now ? describeChange(was, now) : "voided or deleted in QuickBooks since";
  if (change === "") return "";
  return `The retailer already has invoice ${was.number} for $${was.total}, and it was ${change}. Restore it there, or credit the retailer if it was wrong. ${CREDIT_IT}`;
}

function describeChange(was: BookedInvoice, now: BookedInvoice): string {
  if (now.number !== was.number || now.total !== was.total)
    return `changed to invoice ${now.number} for $${now.total} in QuickBooks since`;
  const numbers = new Set([...was.lines, ...now.lines].map(({ line }) => line));
  const changes = [
    ...[...numbers].map(
      (line) => [nameLine(line), describeBilled(was, line), describeBilled(now, line)] as const,
    ),
    ["the date", spellDate(was.date), spellDate(now.date)] as const,
    ["the due date", spellDate(was.dueDate), spellDate(now.dueDate)] as const,
    ...(["freight", "allowance", "tax"] as const).map(
      (charge) => [`the ${charge}`, `$${was[charge]}`, `$${now[charge]}`] as const,
    ),
  ].flatMap(([name, before, after]) => (before === after ? [] : [`${name} from ${before} to ${after}`]));
  return changes.length > 0 ? `changed in QuickBooks since: ${changes.join("; ")}` : "";
}

const nameLine = (line: string): string => (line === "" ? "a line that isn't the order's" : `line ${line}`);

const describeBilled = ({ lines }: BookedInvoice, of: string): string =>
  lines
    .flatMap(({ line, quantity, unitPrice }) => (line === of ? [`${quantity} at $${unitPrice}`] : []))
    .toSorted()
    .join(" and ") || "nothing";

/** Advice about an invoice whose labels were voided. */
export const voidedSentence = ({ isSent }: { isSent: boolean }): string =>
  isSent
    ? `The labels of this invoice were voided, and the retailer has it. ${CREDIT_IT}`
    : `The labels of this invoice were voided. ${VOID_IT}`;

/** Advice about charges of an order that no invoice bills, shown at its valid invoice. @param canAdd the retailer doesn't have it */
export function unbilledSentence({ freight, allowance }: UnbilledCharges, canAdd: boolean): string {
  const named = Object.entries({ freight, allowance }).flatMap(([name, cents]) =>
    cents > 0 ? [`${name} of $${centsText(cents)}`] : [],
  );
  const them = named.length > 1 ? "them" : "it";
  const todo = canAdd
    ? `Add ${them} to this one in QuickBooks.`
    : `Bill ${them} in QuickBooks and in the retailer's portal.`;
  return `No invoice has the order's ${named.join(" and ")}. ${todo}`;
}

/** Says what to know before choosing between an order and a different one under its number; empty for nothing. */
export function noteChoice({
  isCanceled,
  canUse,
  ending,
}: {
  isCanceled: boolean;
  canUse: boolean;
  /** Canceled pieces that are open again with the new one. */
  ending: readonly Pieces[];
}): string {
  if (!canUse) return isCanceled ? `${CANCELED} ${CANCEL_NOTIFIED}` : HAS_LABELS;
  const reopens = isCanceled ? [CANCELED, "Using the new one reopens it."] : [];
  const opens = ending.length > 0 ? [opensAgain(ending)] : [];
  return [...reopens, ...opens].join(" ");
}

const CANCELED = "This order is canceled.";
const opensAgain = (pieces: readonly Pieces[]) =>
  `You canceled ${listText(pieces)}, and the retailer wasn't notified yet. It accepts cancellations only of all that is left of a line, so using the new one opens these pieces again.`;

const HAS_LABELS =
  "This order has labels, and only new prices and charges can be used for it. Void the labels first, or keep the order.";
const CANCEL_NOTIFIED =
  "The retailer was notified of that, so it can't be reopened. If the retailer still wants it, ask for an order with another PO number.";

const SENTENCES: Readonly<Record<Reason, string>> = {
  voided: `an earlier invoice bills labels that were voided. ${VOID_IT}`,
  credit: `an earlier invoice, which the retailer has, bills labels that were voided. ${CREDIT_IT} Then say so on the order's page.`,
  nothing: "everything that has shipped is billed.",
  customer: "match the retailer to a customer in QuickBooks first.",
  sku: "match each of its SKUs to an item in QuickBooks first.",
  terms: "QuickBooks has no terms with the name on the order. Match it to terms there first.",
  no_price:
    "a line of the order has no price for one unit. Ask the retailer for it, or create this invoice in QuickBooks.",
  charge:
    "the order names an allowance or charge that isn't billed here. Create this invoice in QuickBooks, and enter it in the retailer's portal.",
  currency:
    "the order's currency isn't that of its customer in QuickBooks. Create this invoice there for a customer of that currency, and enter it in the retailer's portal.",
  price: "QuickBooks has a higher price than the order. Confirm the order's price first.",
  books:
    "QuickBooks already has an invoice with this PO number or tracking number. Open the order, and choose whether it is this one.",
  order_waits:
    "the retailer changed the order, or sent a different one with its number. Open the order, and choose which one counts.",
  canceled:
    "the retailer canceled it after its labels were made: void its labels, or confirm that it shipped.",
  not_shipped: "nothing of it has shipped yet.",
  not_left: "its ship notice hasn't been sent yet. It can be billed after that.",
};
