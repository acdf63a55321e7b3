import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { isNumberUsed } from "#features/order-invoices/store.ts";
import { findInvoiceNotices } from "#features/orders/index.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { explainSearch } from "../../../test/support/explain.ts";

const REALM = "9130357849016936";
const MANY = 5_000;

test("an invoice number that a retailer may have is found by an index, however many documents were sent", async () => {
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
  await sql`vacuum analyze order_notice, order_invoice`.execute(db);

  const used = await explainSearch(pool, (searched) => isNumberUsed(searched, REALM, "N-77"));
  expect(used.indexes).toContain("order_notice_invoice_number");
  const found = await explainSearch(pool, (searched) =>
    findInvoiceNotices(searched, REALM, { number: "N-77" }),
  );
  expect(found.indexes).toContain("order_notice_invoice_number");
  expect(await isNumberUsed(db, REALM, "N-77")).toBe(true);
  expect(await isNumberUsed(db, REALM, "N-0")).toBe(false);
});
