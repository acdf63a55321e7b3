import { createHash } from "node:crypto";
import type { Books } from "#integrations/intuit/client.ts";
import { findEarlyEnd, IntuitError } from "#integrations/intuit/errors.ts";
import { formatCount } from "#formats/text/phrases.ts";
import { AppError, badRequest, conflict } from "#platform/errors.ts";
import { forgetLists, type Entry } from "#features/books/lists/search-list.ts";
import type { CallCtx } from "#features/books/ctx.ts";

/** Intuit's limit of a customer's DisplayName, in characters. */
const MAX_CHARACTERS = 500;
/**
 * Maximum number of customers with one name that were created and then renamed or deactivated; each
 * costs a call.
 */
const MAX_ATTEMPTS = 20;

/**
 * Creates a customer with this name in the books after a user confirmed it; idempotent. The
 * requestid is derived from the name and from the earlier customers with that name that are no
 * longer usable.
 * @throws AppError 400 if the name is longer than QuickBooks accepts; 409 if QuickBooks already has the name or refuses it or
 * every new customer, or the company must be reconnected; 503 if QuickBooks doesn't answer
 */
export async function createCustomer(ctx: CallCtx, realmId: string, name: string): Promise<Entry> {
  if (name.length > MAX_CHARACTERS) {
    throw badRequest(
      "name_too_long",
      `A customer's name in QuickBooks can have at most ${MAX_CHARACTERS} characters, and this one has ${formatCount(name.length)}. Shorten it.`,
    );
  }
  try {
    const { made, tid } = await createUsable(ctx.books(realmId), realmId, name);
    forgetLists(ctx, realmId);
    await ctx.audit(ctx.db, {
      action: "choices.create_customer",
      ids: { customer: made.Id, intuit_tid: tid },
      after: { name },
    });
    return { id: made.Id, name: made.FullyQualifiedName ?? made.DisplayName };
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    ctx.log.warn({ err: error, realm: realmId, tid: error.tid }, "QuickBooks made no customer");
    throw toRefusal(error, name);
  }
}

/**
 * Creates a customer that can be used now. QuickBooks answers a repeated requestid with the
 * customer as it was created, even if it has since been renamed or deactivated.
 */
async function createUsable(books: Books, realmId: string, name: string) {
  let key = `customer\n${realmId}\n${name}`;
  for (let time = 0; time < MAX_ATTEMPTS; time += 1) {
    const requestId = createHash("sha256").update(key).digest("base64url").slice(0, 40);
    const { data: made, tid } = await books.createCustomer({ DisplayName: name }, { requestId });
    const { data: now } = await books.customer(made.Id);
    if (now?.Active !== false && now?.DisplayName === made.DisplayName) return { made: now, tid };
    key += `\n${made.Id}`;
  }
  throw new Error("A customer is renamed or made inactive whenever it is made.");
}

function toRefusal(error: IntuitError, name: string): AppError {
  const detail = error.faults.map((fault) => fault.detail || fault.message).join(" ");
  if (error.kind === "duplicateName") {
    return conflict(
      "name_exists",
      `QuickBooks already has "${name}" as a customer, vendor, or employee. Choose the existing customer, or another name.`,
    );
  }
  if (error.kind === "validation")
    return conflict("name_refused", `QuickBooks rejected "${name}": ${detail}`);
  const end = findEarlyEnd(error);
  if (end?.kind === "reconnect") {
    return conflict(
      "reconnect_needed",
      "This company needs to be reconnected to QuickBooks. Reconnect it, then try again.",
    );
  }
  if (end || error.kind === "plan")
    return conflict("books_refused", `QuickBooks doesn't let us create customers in this company: ${detail}`);
  return new AppError({
    status: 503,
    code: "books_unavailable",
    detail: "QuickBooks didn't answer. Wait a minute and try again; nothing is created twice.",
    cause: error,
  });
}
