import type { Books } from "#integrations/intuit/client.ts";
import { isVoided, detectChange } from "#integrations/intuit/detect-change.ts";
import type { InvoiceVersion } from "#integrations/intuit/invoice-body.ts";
import type { IntuitError } from "#integrations/intuit/errors.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { toEvidence, findHalt, isOutage, isVendorFailure } from "#features/books/rules-faults.ts";
import type { InvoiceToUndo } from "#features/books/rules.ts";
import type { Clock } from "#platform/clock.ts";
import type { Evidence } from "#platform/writes/evidence.ts";
import { OutdatedRead, type Item, type Operation } from "#platform/writes/operation.ts";

/** Maximum age of data from the books before it must be read again. */
const RECENT_MS = 3 * 60_000;

type Undo = Item<InvoiceToUndo>;
type Done = { tid: string | null };
/**
 * How much of an undo was done before the database was restored: nothing, a part, or all that it was going to do. One that ended
 * does nothing more: what it left is the users' again.
 */
export type EarlierUndo = "none" | "unfinished" | "ended";

type Withdraw = {
  clock: Clock;
  action: "void" | "delete";
  /** Last day of the closed period, YYYY-MM-DD. */
  closedThrough: string | null;
  earlier: EarlierUndo;
  loadBodies: Operation<InvoiceToUndo, InvoiceVersion, Done>["loadBodies"];
};

/**
 * Voids or deletes posted invoices, except those changed by others since. The version makes
 * QuickBooks refuse a second void or delete.
 */
export function withdrawInvoices(
  books: Books,
  { clock, action, closedThrough, earlier, loadBodies }: Withdraw,
): Operation<InvoiceToUndo, InvoiceVersion, Done> {
  const readAt = new Map<string, number>();
  const read = async (items: readonly Undo[]) => {
    const now = clock.now().getTime();
    const { data } = await books.findInvoicesById(items.map(({ body }) => body.qboId));
    for (const { body } of items) readAt.set(body.qboId, now);
    const found = new Map(data.map((reply) => [reply.Id, reply]));
    return items.map((item) => ({ item, invoice: found.get(item.body.qboId) }));
  };
  /** @throws OutdatedRead if the books must be read again first; nothing is sent then */
  const assertRecent = (requests: readonly InvoiceVersion[]) => {
    const oldest = Math.min(...requests.map(({ Id }) => readAt.get(Id) ?? 0));
    if (clock.now().getTime() - oldest < RECENT_MS) return;
    throw new OutdatedRead("The books were read too long ago to undo by that.");
  };
  const guarded = (requests: readonly InvoiceVersion[], beforeSend: () => Promise<void>) => async () => {
    assertRecent(requests);
    await beforeSend();
  };
  const compare = (item: Undo, invoice: Invoice | undefined): Evidence => {
    const evidence = match(item, invoice, closedThrough);
    return evidence.kind === "absent" && earlier === "ended" ? LEFT : evidence;
  };
  return {
    loadBodies,
    toRequest: ({ body }) => ({ Id: body.qboId, SyncToken: body.syncToken }),
    sendAlone: async (version, { requestId, beforeSend }) => {
      const options = { requestId, beforeSend: guarded([version], beforeSend) };
      const { tid } = await (action === "void"
        ? books.voidInvoice(version, options)
        : books.deleteInvoice(version, options));
      return { tid };
    },
    sendTogether: async (versions, { beforeSend }) => {
      const items = versions.map(
        (Invoice, place) => ({ bId: String(place), operation: action, Invoice }) as const,
      );
      const { data, tid } = await books.batch(items, { beforeSend: guarded(versions, beforeSend) });
      return data.map((reply) => ("ok" in reply ? { ok: { tid } } : { error: reply.fault }));
    },
    classify: (_item, outcome) =>
      "ok" in outcome
        ? { kind: "accepted", answer: { id: null, facts: {}, tid: outcome.ok.tid } }
        : toEvidence(outcome.error, CONFLICTS),
    lookUp: async (items) =>
      new Map(
        (await read(items)).map(({ item, invoice }) => [
          item.write.part,
          isGoneByUs(item, invoice, action) ? GONE : compare(item, invoice),
        ]),
      ),
    // Each invoice is read before its undo, which shows what a previous holder has undone.
    findCreatedSince: () => Promise.resolve([]),
    checkPlanned: async (items) => {
      const matched = (await read(items)).map(({ item, invoice }) => {
        const isOurs = earlier !== "none" && isGoneByUs(item, invoice, action);
        return [item.write.part, isOurs ? GONE : compare(item, invoice)] as const;
      });
      return new Map(matched.filter(([, evidence]) => evidence.kind !== "absent"));
    },
    findHalt,
    isVendorFailure,
    isOutage,
  };
}

/**
 * QuickBooks says "not found" for an inactive name too; only the books show whether the invoice is
 * gone.
 */
const CONFLICTS: readonly IntuitError["kind"][] = ["stale", "notFound"];
const GONE: Evidence = { kind: "found", answer: { id: null, facts: {}, tid: null } };

const LEFT: Evidence = { kind: "excluded", cause: { code: "not_sent", params: {}, tid: null } };

/**
 * Whether our own undo with a lost answer removed it: it was there, untouched, when the undo was
 * sent.
 */
function isGoneByUs({ body }: Undo, found: Invoice | undefined, action: "void" | "delete"): boolean {
  if (action === "delete") return !found;
  return found !== undefined && isVoided(found) && found.SyncToken !== body.syncToken;
}

/** `absent`: the invoice is in the books as we posted it, so nothing undid it. */
function match({ body }: Undo, found: Invoice | undefined, closedThrough: string | null): Evidence {
  const change = detectChange(body, found, closedThrough);
  if (!change) return { kind: "absent" };
  return { kind: "excluded", cause: { code: change, params: {}, tid: null } };
}
