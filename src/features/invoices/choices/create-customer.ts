import { createHash } from "node:crypto";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { AppError, conflict } from "#platform/errors.ts";
import { forgetLists, type Entry } from "#features/invoices/choices/search-list.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";

/**
 * Creates a customer of this name in the books, because a person ticked that it shall be created. Asking twice gives
 * the same customer: the requestid is made of the name.
 * @throws AppError 409 when QuickBooks has the name already or refuses it
 */
export async function createCustomer(ctx: InvoicesCtx, realmId: string, name: string): Promise<Entry> {
  const requestId = createHash("sha256")
    .update(`customer\n${realmId}\n${name}`)
    .digest("base64url")
    .slice(0, 40);
  try {
    const { data } = await ctx.books(realmId).createCustomer({ DisplayName: name }, { requestId });
    forgetLists(ctx, realmId);
    return { id: data.Id, name: data.FullyQualifiedName ?? data.DisplayName };
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    throw refusalOf(error, name);
  }
}

function refusalOf(error: IntuitError, name: string): AppError {
  const detail = error.faults.map((fault) => fault.detail || fault.message).join(" ");
  if (error.kind === "duplicateName") {
    return conflict(
      "name_exists",
      `QuickBooks has "${name}" already, as a customer, vendor or employee. Choose the existing customer or another name.`,
    );
  }
  if (error.kind === "validation") return conflict("name_refused", `QuickBooks refused "${name}": ${detail}`);
  if (error.kind === "reconnect" || error.kind === "auth") {
    return conflict(
      "reconnect_needed",
      "The company must be connected to QuickBooks again. Connect it, then try once more.",
    );
  }
  return new AppError({
    status: 503,
    code: "books_unavailable",
    detail: "QuickBooks did not answer. Wait a minute and try again; asking twice creates nothing twice.",
    cause: error,
  });
}
