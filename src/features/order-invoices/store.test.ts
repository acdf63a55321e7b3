import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { isNumberUsed } from "#features/order-invoices/store.ts";
import { findInvoiceNotices, findNoticesByNumber, findOrderIdsByNumber } from "#features/orders/index.ts";
import { findKnownReferences } from "#features/shipping/store-search.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { countRowsRead, explainSearch } from "../../../test/support/explain.ts";
import type { Db } from "#platform/db/connect.ts";

const REALM = "9130357849016936";
const MANY = 5_000;

/** A company to whose retailer many documents were sent. */
async function openMany() {
  const { db, pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  await sql`insert into company (realm_id, name, created_at) values (${REALM}, 'Acme', now())`.execute(db);
  await sql`insert into retail_order (realm_id, id, partner, po_number, customer_name, content, fingerprint, slip_file, document_id,
      received_at)
    select ${REALM}, ('0199f000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'retailer', n::text, 'A', '{}', '',
      n::text, ('0199f000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now()
    from generate_series(1, ${MANY}::int) n`.execute(db);
  await sql`insert into order_notice (realm_id, id, order_id, kind, partner, document, po_number, facts, created_at, due_at)
    select realm_id, id, id, 'invoice', partner, '810', po_number,
      jsonb_build_object('invoice', jsonb_build_object('id', po_number, 'number', 'N-' || po_number)), now(), now()
    from retail_order`.execute(db);
  await sql`vacuum analyze order_notice, order_invoice, retail_order`.execute(db);
  return { db, pool };
}

test("an invoice number that a retailer may have is found by an index, however many documents were sent", async () => {
  const { db, pool } = await openMany();
  const used = await explainSearch(pool, (searched) => isNumberUsed(searched, REALM, "N-77"));
  expect(used.indexes).toContain("order_notice_invoice_number");
  const found = await explainSearch(pool, (searched) =>
    findInvoiceNotices(searched, REALM, { number: "N-77" }),
  );
  expect(found.indexes).toContain("order_notice_invoice_number");
  expect(await isNumberUsed(db, REALM, "N-77")).toBe(true);
  expect(await isNumberUsed(db, REALM, "N-0")).toBe(false);
});

test("documents are found by indexes, by the invoice in QuickBooks, a number, or a PO number, however many were sent", async () => {
  const { pool } = await openMany();
  const by = { partner: "retailer" };
  const searches: ((db: Db) => Promise<unknown>)[] = [
    (db) => findInvoiceNotices(db, REALM, { invoiceId: "77" }),
    (db) => findNoticesByNumber(db, REALM, { ...by, numbers: ["N-77"] }),
    (db) => findNoticesByNumber(db, REALM, { ...by, document: "810", poNumbers: ["77"] }),
    (db) => findNoticesByNumber(db, REALM, { ...by, document: null, poNumbers: ["77", "78"] }),
    (db) =>
      findOrderIdsByNumber(db, REALM, { poNumbers: ["77"], invoiceNumbers: ["N-77"], controlNumbers: [] }),
  ];
  const read = await Promise.all(searches.map((search) => countRowsRead(pool, search)));
  expect(read.map((rows) => rows < 20)).toEqual(searches.map(() => true));
});

test("references of purchases are found by an index, however many labels all companies have", async () => {
  const { pool, db } = await openMany();
  await sql`insert into shipment (realm_id, id, order_id, part, request_id, seq, po_number, customer_name, reference, body, cartons,
      items, lines, state, checks_address, requested_at, requested_by)
    select realm_id, id, id, 1, id, 1, po_number, 'A', 'R-' || po_number, '{}', '[]', '', '[]', 'failed', false, now(), 'A'
    from retail_order`.execute(db);
  await sql`vacuum analyze shipment`.execute(db);
  expect(await countRowsRead(pool, (searched) => findKnownReferences(searched, ["R-77"]))).toBeLessThan(20);
});
