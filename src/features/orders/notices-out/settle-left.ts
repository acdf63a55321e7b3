import { changeNotice, listUnwritten, type StoredNotice } from "#features/orders/notices-out/store.ts";
import type { NoticeFacts } from "#features/orders/notices-out/types.ts";
import { findLeftNotice, promiseNotices, type NoticeSubject } from "#features/orders/promises.ts";
import { ENTERED } from "#features/orders/sentences.ts";
import type { Journal } from "#integrations/objects/journal.ts";
import type { Db } from "#platform/db/connect.ts";

type Unwritten = Pick<StoredNotice, "realm_id" | "id" | "partner" | "po_number" | "kind" | "facts">;

export const readSubject = ({ realm_id: realm, partner, po_number: po, kind, facts }: Unwritten) =>
  ({
    realm,
    partner,
    po,
    about: kind,
    shipment: nameSubject(facts),
  }) satisfies NoticeSubject;

/**
 * "1Z…", "145 1" for the first document of the invoice with that id in QuickBooks, where another may get its number later, "0: 4 of 3"
 * for lines that are canceled; for an order's cancellation the store, or nothing, and from the second on its number.
 */
function nameSubject(facts: NoticeFacts): string {
  if ("shipment" in facts) return facts.shipment;
  if ("invoice" in facts) return `${facts.invoice.id} ${facts.attempt}`;
  const { store = "", isWhole, sequence } = facts;
  if (isWhole && sequence === 0) return store;
  const start = `${store === "" ? "" : `${store} `}${sequence}`;
  return isWhole
    ? start
    : `${start}: ${(facts.lines ?? []).map(({ line, quantity }) => `${quantity} of ${line}`).join(", ")}`;
}

/** Change of an invoice's document that a user entered in the retailer's portal. */
export const enteredAt = (at: Date) =>
  ({ state: "accepted", tried_at: at, ended_at: at, problems: [ENTERED] }) as const;

/** Notes outside the database that a user entered an invoice in the portal: its document leaves under no restored one either. */
export const promiseEntered = (journal: Journal, notice: Unwritten, at: Date): Promise<void> =>
  promiseNotices(journal, [{ ...readSubject(notice), control_number: null, at: at.toISOString() }]);

/** Marks a notice that the retailer had before this database was restored: it doesn't leave twice. Its file is not here. */
export async function settleOneLeft(
  { journal }: { journal: Journal },
  tx: Db,
  notice: Unwritten,
): Promise<void> {
  const left = await findLeftNotice(journal, readSubject(notice));
  if (!left) return;
  const at = new Date(left.at);
  const { control_number } = left;
  await changeNotice(
    tx,
    { realmId: notice.realm_id, id: notice.id },
    control_number === null
      ? enteredAt(at)
      : { state: "sent", control_number, tried_at: at, sent_at: at, problems: [] },
  );
}

/** The same for the given notices, or for all companies' notices, that wait. */
export async function settleLeft(
  ctx: { db: Db; journal: Journal },
  which: { realmId: string; ids: readonly string[] } | null,
): Promise<void> {
  for (const notice of await listUnwritten(ctx.db, which)) await settleOneLeft(ctx, ctx.db, notice);
}
