import { sql } from "kysely";
import type { Standing } from "#features/order-invoices/contract.ts";
import { IS_CANCEL_OPEN } from "#features/order-invoices/store.ts";
import type { Db } from "#platform/db/connect.ts";

/** Progress of an order, derived from its own row, its notices, invoices and packages. */
export type ThreadRow = {
  order_id: string;
  po_number: string;
  customer_name: string;
  received_at: Date;
  standing: Standing;
  cents: number;
  is_labelled: boolean;
  ship: string | null;
  ship_at: Date | null;
  document: string | null;
  document_at: Date | null;
  billed: boolean;
  waits: string[];
  problem: string;
  ship_by: string | null;
  delivered: number;
  packages: number;
  due: Date | null;
};

/**
 * SQL of all threads of a company: one row per order, with its standing. A rejected ship notice is over once the retailer has the
 * invoices: a user entered both in its portal.
 */
const threads = (realmId: string) => sql`
  with inv as (
    select order_id, bool_or(state = 'draft' and waits = '{}' and problem = '') as ready,
      bool_or(state = 'draft' and (waits <> '{}' or problem <> '')) as differs,
      bool_or(state in ('posted', 'linked') and problem not in ('', coalesce(answers ->> 'handled', ''))) as changed, bool_or(state = 'posting') as posting, bool_and(state in ('posted', 'linked')) as billed,
      sum(coalesce(qbo_total_cents, total_cents)) as cents, max(problem) as problem,
      jsonb_agg(waits) filter (where waits <> '{}') -> 0 as waits
    from order_invoice where realm_id = ${realmId} group by order_id),
  ship as (
    select order_id, bool_or(state = 'rejected') as rejected, bool_and(state in ('sent', 'accepted')) as gone,
      bool_and(state = 'accepted') as accepted, max(coalesce(ended_at, sent_at)) as at, min(due_at) as due
    from order_notice where realm_id = ${realmId} and kind = 'ship' and state <> 'withdrawn' group by order_id),
  doc as (
    select order_id, bool_or(problems <> '[]' and state <> 'accepted') as rejected,
      bool_and(state = 'accepted' or state = 'sent' and document = 'v_invoice') as accepted,
      bool_and(state in ('sent', 'accepted')) as sent, max(coalesce(ended_at, sent_at)) as at
    from (select distinct on (order_id, facts -> 'invoice' ->> 'id') * from order_notice
      where realm_id = ${realmId} and kind = 'invoice' and state <> 'withdrawn' and facts -> 'invoice' ->> 'id' in
        (select qbo_id from order_invoice where realm_id = ${realmId})
      order by order_id, facts -> 'invoice' ->> 'id', created_at desc) n group by order_id),
  pack as (
    select s.order_id, count(*)::int as packages, count(*) filter (where p.state = 'delivered')::int as delivered
    from shipment s join shipment_label l on l.realm_id = s.realm_id and l.shipment_id = s.id and l.voided_at is null
    left join package p on p.realm_id = l.realm_id and p.number = l.tracking_number
    where s.realm_id = ${realmId} and s.state = 'made' group by s.order_id)
  select o.id as order_id, o.po_number, o.customer_name, o.received_at, o.content ->> 'shipBy' as ship_by,
    o.state = 'labelled' as is_labelled,
    case when o.state = 'cancelled' then case when o.waiting is null then 'cancelled' else 'differs' end
      when ${IS_CANCEL_OPEN} then 'differs'
      when doc.rejected or ship.rejected and not (coalesce(inv.billed, false) and coalesce(doc.accepted, false)) then 'refused'
      when inv.posting then 'posting' when inv.changed or inv.differs or inv.ready and o.waiting is not null then 'differs'
      when inv.ready and ship.gone is not false then 'ready' when inv.ready then 'notice'
      when inv.billed and (doc.accepted is not false)
        then case when o.state in ('open', 'labelling') then 'to_ship' else 'done' end when inv.billed then 'retailer'
      when ship.order_id is not null then 'notice' else 'to_ship' end as standing,
    coalesce(inv.cents, round(100 * (select sum((l ->> 'quantity')::numeric * coalesce(nullif(l ->> 'unitCost', ''), '0')::numeric)
      from jsonb_array_elements(o.content -> 'lines') l)))::bigint as cents,
    case when ship.rejected then 'rejected' when ship.accepted then 'accepted' when ship.gone then 'sent'
      when ship.order_id is not null then 'pending' end as ship, ship.at as ship_at, ship.due,
    case when doc.rejected then 'rejected' when doc.accepted then 'accepted' when doc.sent then 'sent'
      when doc.order_id is not null then 'pending' end as document, doc.at as document_at,
    coalesce(inv.billed, false) as billed, case when ${IS_CANCEL_OPEN} then '["canceled"]'
      when o.waiting is not null then '["order_waits"]' when inv.changed then '["changed"]' else coalesce(inv.waits, '[]') end as waits, coalesce(inv.problem, '') as problem,
    coalesce(pack.packages, 0) as packages, coalesce(pack.delivered, 0) as delivered
  from retail_order o left join inv on inv.order_id = o.id left join ship on ship.order_id = o.id
    left join doc on doc.order_id = o.id left join pack on pack.order_id = o.id
  where o.realm_id = ${realmId}`;

const FILTERS: Readonly<Record<string, readonly Standing[]>> = {
  ready: ["ready"],
  differs: ["differs", "refused"],
  retailer: ["retailer", "notice", "posting"],
  done: ["done"],
};

export type Share = { orders: number; cents: number };
export type Shares = Record<"all" | "ready" | "differs" | "retailer" | "done", Share> & { posting: number };

/** One page of threads, newest first, with totals by standing. */
export async function findThreads(
  db: Db,
  realmId: string,
  { show, search, offset, limit }: { show: string; search: string; offset: number; limit: number },
): Promise<{ rows: ThreadRow[]; total: number; shares: Shares }> {
  const like = `%${search.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const wanted = [...(FILTERS[show] ?? [])];
  const { rows } = await sql<{
    page: ThreadRow[] | null;
    total: number;
    counts: { standing: Standing; orders: number; cents: number }[] | null;
  }>`with t as materialized (${threads(realmId)}),
    found as (select * from t where (${wanted.length === 0} or standing = any (${wanted}::text[]))
      and (${search.trim() === ""} or po_number ilike ${like} or customer_name ilike ${like})),
    page as (select * from found order by received_at desc, po_number desc offset ${offset} limit ${limit})
    select (select jsonb_agg(p) from page p) as page, (select count(*)::int from found) as total,
      (select jsonb_agg(c) from (select standing, count(*)::int as orders, sum(cents)::bigint as cents from t group by 1) c) as counts`.execute(
    db,
  );
  const { page, total, counts } = rows[0] ?? { page: null, total: 0, counts: null };
  const share = (of: readonly Standing[] | null): Share => {
    const own = (counts ?? []).filter(({ standing }) => of === null || of.includes(standing));
    return {
      orders: own.reduce((sum, { orders }) => sum + orders, 0),
      cents: own.reduce((sum, { cents }) => sum + Number(cents), 0),
    };
  };
  const shares = {
    all: share(null),
    ready: share(FILTERS["ready"] ?? []),
    differs: share(FILTERS["differs"] ?? []),
    retailer: share(FILTERS["retailer"] ?? []),
    done: share(FILTERS["done"] ?? []),
    posting: share(["posting"]).orders,
  };
  return { rows: (page ?? []).map(toRow), total, shares };
}

/** Progress of one order. */
export async function findThread(db: Db, realmId: string, orderId: string): Promise<ThreadRow | undefined> {
  const { rows } =
    await sql<ThreadRow>`select * from (${threads(realmId)} and o.id = ${orderId}::uuid) t`.execute(db);
  return rows[0];
}

/** Converts times, which are strings in JSON. */
const toRow = (row: ThreadRow): ThreadRow => ({
  ...row,
  received_at: new Date(row.received_at),
  ship_at: row.ship_at && new Date(row.ship_at),
  document_at: row.document_at && new Date(row.document_at),
  due: row.due && new Date(row.due),
  cents: Number(row.cents),
});

/** Invoices in the books that the Tracking Service follows, with the time at which their last proof of delivery was attached. */
export async function listTracked(
  db: Db,
  realmId: string,
  qboIds: readonly string[],
): Promise<{ qbo_id: string; proved_at: Date | null }[]> {
  const { rows } = await sql<{
    qbo_id: string;
    proved_at: Date | null;
  }>`select i.qbo_id, max(w.settled_at) as proved_at
    from tracked_invoice i left join tracking_write w on w.realm_id = i.realm_id and w.qbo_id = i.qbo_id
      and w.operation = 'attach' and w.state = 'done'
    where i.realm_id = ${realmId} and i.qbo_id = any (${[...qboIds]}::text[]) group by i.qbo_id order by 2`.execute(
    db,
  );
  return rows;
}

/** Retailers whose orders a company has, with the time of each one's last order, latest first. */
export async function findRetailers(db: Db, realmId: string): Promise<{ partner: string; last: Date }[]> {
  const { rows } = await sql<{ partner: string; last: Date }>`select partner, max(received_at) as last
    from retail_order where realm_id = ${realmId} group by partner order by 2 desc, 1`.execute(db);
  return rows;
}
