import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { countDays, countPackages, listInvoices } from "#features/tracking/store-views.ts";
import type { Db } from "#platform/db/connect.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { countRowsRead } from "../../../test/support/explain.ts";

const REALM = "9130357849016936";
const INVOICES = 1_000;
const ROWS_EACH = 10;

test("TK-15 the list of a company that has just turned the service on compares each invoice with its own packages only, before the database knows how many there are", async () => {
  const { db, pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  await sql`insert into company (realm_id, name, created_at) values (${REALM}, 'Acme', now())`.execute(db);
  await sql`insert into tracking_company (realm_id, reads_left, reads_at) values (${REALM}, 6, now())`.execute(
    db,
  );
  await sql`insert into tracked_invoice (realm_id, qbo_id, sync_token, number, customer, txn_date, ship_via,
      tracking_text, keys)
    select ${REALM}, n::text, '0', 'A-' || n, 'Customer ' || n, '2026-11-02', '', '', '{}'
    from generate_series(1, ${INVOICES}::int) n`.execute(db);
  await sql`insert into package (realm_id, number, of_invoice, added_at, next_poll_at)
    select ${REALM}, '1Z12345E90' || lpad(n::text, 8, '0'), true, now(), now() from generate_series(1, ${INVOICES}::int) n`.execute(
    db,
  );
  await sql`insert into tracked_invoice_package (realm_id, qbo_id, number, seq, in_books)
    select ${REALM}, n::text, '1Z12345E90' || lpad(n::text, 8, '0'), 1, true
    from generate_series(1, ${INVOICES}::int) n`.execute(db);

  const page = { day: null, q: "", after: null, limit: 51 };
  for (const show of ["all", "attention"] as const)
    expect(
      await countRowsRead(pool, (searched) => listInvoices(searched, REALM, { ...page, show })),
    ).toBeLessThan(ROWS_EACH * INVOICES);
  expect(
    await countRowsRead(pool, (searched) =>
      listInvoices(searched, REALM, { ...page, show: "all", q: "A-77" }),
    ),
  ).toBeLessThan(ROWS_EACH * INVOICES);
  for (const count of [
    (searched: Db) => countPackages(searched, REALM),
    (searched: Db) => countDays(searched, REALM, new Date(0)),
  ])
    expect(await countRowsRead(pool, count)).toBeLessThan(ROWS_EACH * INVOICES);
});
