import type { Cause } from "#platform/writes/evidence.ts";

/** Why following doesn't go on, or a write wasn't made. */
const SENTENCES: Readonly<Record<string, string>> = {
  attach_off: "Attaching proofs of delivery to invoices is turned off in Settings.",
  ups_none: "No UPS account is connected. Connect one in Settings.",
  ups_auth: "UPS no longer accepts the connection to your account. Reconnect it in Settings.",
  ups_down: "UPS isn't responding. We'll keep trying.",
  books_reconnect: "QuickBooks no longer accepts the connection. Reconnect the company in Settings.",
  books_down: "QuickBooks isn't responding. We'll keep trying.",
  freight_paid: "The invoice has a payment, so we didn't change its shipping amount.",
  freight_there: "The invoice got a shipping amount in the meantime, so we didn't change it.",
  freight_currency:
    "UPS charged for the label in a different currency than the invoice's. Add the freight to the invoice yourself.",
  freight_unpriced: "UPS gave no price for a label. Add the freight to the invoice yourself.",
  freight_dropped:
    "QuickBooks didn't keep the shipping amount. To turn shipping on there, go to Settings > Account and settings > Sales > Sales form content.",
  voided: "The invoice was voided in QuickBooks.",
  deleted: "The invoice was deleted in QuickBooks.",
  changed_again:
    "Someone was changing the invoice in QuickBooks. We'll check it again after the next change.",
  in_doubt:
    "QuickBooks didn't answer our last change to the invoice. We'll find out and finish it; you don't need to do anything.",
};

export function problemText(cause: Pick<Cause, "code" | "params"> | null): string {
  if (!cause) return "";
  const { code, params } = cause;
  const { detail } = params;
  if (SENTENCES[code] === undefined && typeof detail === "string" && detail !== "")
    return `QuickBooks says: ${detail}`;
  if (code === "canceled")
    return `The check was canceled by ${String(params["by"])}. The next one is within an hour; you can check now.`;
  return SENTENCES[code] ?? "Something went wrong. We'll keep trying.";
}
