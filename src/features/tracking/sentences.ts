import type { Cause } from "#platform/writes/evidence.ts";

/** Why following doesn't go on, or a write wasn't made. */
const SENTENCES: Readonly<Record<string, string>> = {
  attach_off: "Attaching proofs of delivery to invoices is off. An admin can turn it on in Settings.",
  ups_none: "No UPS account is connected. Connect one in Settings.",
  ups_auth: "UPS doesn't accept your UPS account anymore. Connect it again in Settings.",
  ups_down: "UPS isn't answering. Packages are looked at again soon.",
  books_reconnect: "QuickBooks no longer accepts the connection. Connect the company again in Settings.",
  books_down: "QuickBooks isn't answering. Invoices are read and changed again soon.",
  in_doubt:
    "QuickBooks didn't answer the last change of the invoice. It is looked for and finished by itself.",
};

export function problemText(cause: Pick<Cause, "code" | "params"> | null): string {
  if (!cause) return "";
  const { code, params } = cause;
  if (typeof params.message === "string" && params.message !== "")
    return `QuickBooks says: ${params.message}`;
  if (code === "canceled")
    return `The check was canceled by ${String(params["by"])}. The next one is within an hour; you can check now.`;
  return SENTENCES[code] ?? "Something went wrong. It is tried again.";
}
