import { sql, type Selectable, type Updateable } from "kysely";
import {
  matchKey,
  type Answers,
  type Draft,
  type Matches,
  type Target,
  type Theirs,
  type Wait,
} from "#features/order-invoices/rules-draft.ts";
import type { OrderInvoiceTables } from "#features/order-invoices/tables.ts";
import type { MatchKind } from "#features/order-invoices/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { publishChange } from "#platform/events/change-feed.ts";

const tables = (db: Db) => db.withTables<OrderInvoiceTables>();

export type StoredInvoice = Selectable<OrderInvoiceTables["order_invoice"]>;

const ofCompany = (db: Db, realmId: string) =>
  tables(db).selectFrom("order_invoice").selectAll().where("realm_id", "=", realmId);

/** Invoices of the given orders; those of one order are sorted by shipment. */
export const findInvoices = (
  db: Db,
  realmId: string,
  orderIds: readonly string[],
): Promise<StoredInvoice[]> =>
  orderIds.length === 0
    ? Promise.resolve([])
    : ofCompany(db, realmId)
        .where("order_id", "in", [...orderIds])
        .orderBy(
          sql`(select number from order_shipment s where s.realm_id = order_invoice.realm_id and s.shipment_id = order_invoice.shipment_id)`,
        )
        .orderBy("id")
        .execute();

/** Locks invoices until the transaction ends, always in the same order to avoid deadlocks. */
export const lockInvoices = (tx: Db, realmId: string, ids: readonly string[]): Promise<StoredInvoice[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : ofCompany(tx, realmId)
        .where("id", "in", [...ids])
        .orderBy("id")
        .forUpdate()
        .execute();

/** Invoices whose upload, or its undo, is under way. */
export const listUnsettled = (db: Db, realmId: string): Promise<StoredInvoice[]> =>
  ofCompany(db, realmId).where(IS_UNSETTLED).orderBy("id").limit(1_000).execute();

const IS_UNSETTLED = sql<boolean>`(state = 'posting' or undo_asked_at is not null)`;

/** Companies with invoices to settle or to draft, or that are posted without a click. */
export async function listCompaniesToPass(db: Db): Promise<string[]> {
  const { rows } = await sql<{ realm_id: string }>`select realm_id from order_invoice where ${IS_UNSETTLED}
    union select realm_id from (${undrafted(null)}) u
    union select realm_id from order_invoice_settings where posts_when_shipped order by 1`.execute(db);
  return rows.map(({ realm_id: realmId }) => realmId);
}

export const findOfUpload = (db: Db, realmId: string, uploadId: string): Promise<StoredInvoice[]> =>
  ofCompany(db, realmId).where("upload_id", "=", uploadId).orderBy("id").execute();

/** Invoices that bill orders, by their ids in the books. */
export const findBooked = (db: Db, realmId: string, ids: readonly string[]): Promise<StoredInvoice[]> =>
  ofCompany(db, realmId)
    .where(sql<boolean>`qbo_id = any (${[...ids]}::text[])`)
    .execute();

/** Ids in the books of invoices that bill orders. */
export async function findBookedIds(db: Db, realmId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await findBooked(db, realmId, ids)).flatMap(({ qbo_id: id }) => id ?? []));
}

/** True if a change failed because an invoice in the books would bill two shipments. */
export const isBookedTwice = (error: unknown): boolean => isViolated(error, "order_invoice_booked");

/** True if a change failed because another invoice took its number in the meantime. */
export const isNumberTaken = (error: unknown): boolean => isViolated(error, "order_invoice_number");

const isViolated = (error: unknown, constraint: string): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === constraint;

/** Checks whether an invoice with a PO number is being posted: an invoice found in the books may be that one. */
export async function isPosting(db: Db, realmId: string, poNumber: string): Promise<boolean> {
  const found = await ofCompany(db, realmId)
    .where("po_number", "=", poNumber)
    .where("state", "=", "posting")
    .limit(1)
    .execute();
  return found.length > 0;
}

/** Checks whether an order's invoice, or any document ever sent to a retailer, has a number. A voided invoice keeps its number in the books. */
export async function isNumberUsed(db: Db, realmId: string, number: string): Promise<boolean> {
  const { rows } = await sql<{ is_used: boolean }>`select
    exists (select from order_invoice where realm_id = ${realmId} and number = ${number})
    or exists (select from order_notice where realm_id = ${realmId} and kind = 'invoice'
      and facts -> 'invoice' ->> 'number' = ${number}) as is_used`.execute(db);
  return rows[0]?.is_used === true;
}

type NewDraft = Pick<
  StoredInvoice,
  "realm_id" | "id" | "order_id" | "shipment_id" | "partner" | "po_number"
> & {
  draft: Draft;
  theirs: Theirs | null;
  waits: readonly Wait[];
};

/** Adds or updates drafts. Invoices that are being posted, or were posted, stay unchanged. */
export async function saveDrafts(db: Db, drafts: readonly NewDraft[]): Promise<void> {
  for (const { draft, theirs, waits, ...row } of drafts) {
    const change = {
      draft: toJson(draft),
      theirs: theirs && toJson(theirs),
      waits: [...waits],
      total_cents: draft.totalCents,
    };
    const { numInsertedOrUpdatedRows: changed } = await tables(db)
      .insertInto("order_invoice")
      .values({ ...row, ...change, state: "draft" })
      .onConflict((conflict) =>
        conflict
          .expression(sql`realm_id, order_id, (coalesce(shipment_id, order_id))`)
          .doUpdateSet(change)
          .where("order_invoice.state", "=", "draft")
          .where(
            sql<boolean>`(order_invoice.draft, order_invoice.theirs, order_invoice.waits)
              is distinct from (excluded.draft, excluded.theirs, excluded.waits)`,
          ),
      )
      .executeTakeFirstOrThrow();
    if (changed) await publishChange(db, { realmId: row.realm_id, kind: "orders" });
  }
}

/** Removes drafts of shipments that were voided. */
export async function removeDrafts(db: Db, realmId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tables(db)
    .deleteFrom("order_invoice")
    .where("realm_id", "=", realmId)
    .where("state", "=", "draft")
    .where("id", "in", [...ids])
    .execute();
  await publishChange(db, { realmId, kind: "orders" });
}

export async function changeInvoice(
  tx: Db,
  { realm_id: realmId, id }: Pick<StoredInvoice, "realm_id" | "id">,
  change: Omit<Updateable<OrderInvoiceTables["order_invoice"]>, "answers"> & { answers?: Answers },
): Promise<void> {
  const { answers, ...others } = change;
  await tables(tx)
    .updateTable("order_invoice")
    .set({ ...others, ...(answers && { answers: toJson(answers) }) })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
  await publishChange(tx, { realmId, kind: "orders" });
}

/**
 * Orders with labels whose draft is missing or outdated; the next pass drafts them. A draft is outdated if the invoice in the books that
 * it asks about now bills another shipment, or if an invoice that it waits for was undone.
 */
export async function listUndrafted(db: Db, realmId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from (${undrafted(realmId)}) u
    order by 1 limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** @param realmId null for all companies */
const undrafted = (realmId: string | null) => sql`select n.realm_id, n.order_id as id
  from order_shipment n
  where exists (select from jsonb_array_elements(n.cartons) c where not (c -> 'isVoided')::boolean)
    and (${realmId}::text is null or n.realm_id = ${realmId})
    and not exists (select from order_invoice i where i.realm_id = n.realm_id and i.order_id = n.order_id
      and coalesce(i.shipment_id, n.shipment_id) = n.shipment_id)
  union select d.realm_id, d.order_id from order_invoice d
  where d.state = 'draft' and (${realmId}::text is null or d.realm_id = ${realmId})
    and (exists (select from order_invoice i where i.realm_id = d.realm_id and i.qbo_id = d.theirs ->> 'id')
      or exists (select from jsonb_array_elements(d.draft -> 'overbilled') o where not exists
        (select from order_invoice i where i.realm_id = d.realm_id and i.qbo_id = o ->> 'qboId')))`;

export async function findMatches(db: Db, realmId: string, partner: string): Promise<Matches> {
  const rows = await tables(db)
    .selectFrom("order_match")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("partner", "=", partner)
    .execute();
  return new Map(
    rows.map((row): [string, Target] => [
      matchKey(row.kind, row.written),
      { id: row.target_id, name: row.target_name },
    ]),
  );
}

export async function saveMatch(
  tx: Db,
  realmId: string,
  match: { partner: string; kind: MatchKind; written: string; target: Target; by: string; now: Date },
): Promise<void> {
  const { partner, kind, written, target, by, now } = match;
  const chosen = { target_id: target.id, target_name: target.name, chosen_by: by, chosen_at: now };
  await tables(tx)
    .insertInto("order_match")
    .values({ realm_id: realmId, partner, kind, written, ...chosen })
    .onConflict((conflict) =>
      conflict.columns(["realm_id", "partner", "kind", "written"]).doUpdateSet(chosen),
    )
    .execute();
}

/** Orders of a retailer whose drafts wait or are ready. */
export async function listDraftedOrders(db: Db, realmId: string, partner: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("order_invoice")
    .select("order_id")
    .distinct()
    .where("realm_id", "=", realmId)
    .where("state", "=", "draft")
    .where("partner", "=", partner)
    .execute();
  return rows.map((row) => row.order_id);
}

/** Drafts that wait until a customer, an item or terms are matched. */
export const listWaiting = (db: Db, realmId: string): Promise<StoredInvoice[]> =>
  ofCompany(db, realmId)
    .where("state", "=", "draft")
    .where(sql<boolean>`waits && array['sku', 'customer', 'terms']`)
    .orderBy("id")
    .limit(1_000)
    .execute();

export type StoredSettings = Selectable<OrderInvoiceTables["order_invoice_settings"]>;

export const findSettings = (db: Db, realmId: string, partner: string): Promise<StoredSettings | undefined> =>
  tables(db)
    .selectFrom("order_invoice_settings")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("partner", "=", partner)
    .executeTakeFirst();

export async function saveSettings(tx: Db, { realm_id, partner, ...row }: StoredSettings): Promise<void> {
  await tables(tx)
    .insertInto("order_invoice_settings")
    .values({ realm_id, partner, ...row })
    .onConflict((conflict) => conflict.columns(["realm_id", "partner"]).doUpdateSet(row))
    .execute();
}

/** Ends posting without a click in a company. */
export async function stopPosting(tx: Db, realmId: string): Promise<void> {
  await tables(tx)
    .updateTable("order_invoice_settings")
    .set({ posts_when_shipped: false })
    .where("realm_id", "=", realmId)
    .execute();
}

/** Condition: order `o` has the cancellation that `findOpenCancel` finds. */
export const IS_CANCEL_OPEN = sql<boolean>`(o.cancellation_asked_at is not null and o.ship_confirmed_at is null)`;

/** Orders of a company that are posted without a click now, with who turned that on: all that an invoice bills has left. */
export async function listToPost(
  db: Db,
  realmId: string,
): Promise<{ order_ids: string[]; changed_by: string }[]> {
  const { rows } = await sql<{ order_ids: string[]; changed_by: string }>`select
      s.changed_by, array_agg(distinct i.order_id) as order_ids
    from order_invoice_settings s
    join order_invoice i on i.realm_id = s.realm_id and i.partner = s.partner
    join retail_order o on o.realm_id = i.realm_id and o.id = i.order_id
    where s.realm_id = ${realmId} and s.posts_when_shipped and i.state = 'draft' and i.waits = '{}' and i.problem = ''
      and o.waiting is null and not ${IS_CANCEL_OPEN} and not exists (select from order_notice n where n.realm_id = i.realm_id
        and n.order_id = i.order_id and n.kind = 'ship' and n.state = 'pending'
        and n.shipment_id = coalesce(i.shipment_id, n.shipment_id))
    group by s.changed_by`.execute(db);
  return rows;
}
