import { sql } from "kysely";
import type { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { findPostedDuplicates } from "#features/invoices/check/store.ts";
import { findCheckedRows } from "#features/invoices/check/store-invoices.ts";
import { findEarlier } from "#features/invoices/plan/store-earlier.ts";
import { findInDoubt } from "#platform/writes/store.ts";
import { VENDOR } from "#features/books/index.ts";
import { findUpload, type Upload } from "#features/invoices/ledger/store.ts";
import { countInBooks } from "#features/invoices/ledger/store-writes.ts";
import { sumLedger } from "#features/invoices/receipt/store.ts";
import { findResultEntries } from "#features/invoices/results/store.ts";
import type { Db } from "#platform/db/connect.ts";
import { createTestDatabase } from "../../../../test/support/database.ts";
import { countRowsRead, explainSearch } from "../../../../test/support/explain.ts";

const REALM = "9130357849016936";
const MINE = "0199f000-0000-7000-8000-00000000ffff";
const SINCE = new Date("2026-08-01T00:00:00Z");
const MANY = 200;

/** A company that posted 40,000 invoices in 200 uploads, and has a checked one that PostgreSQL has not analyzed yet. */
async function withHistory(): Promise<{ db: Db; pool: Pool }> {
  const { db, pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  await sql`insert into company (realm_id, name, created_at) values (${REALM}, 'Acme', now())`.execute(db);
  await sql`insert into upload (realm_id, id, file_name, sha256, object_key, size_bytes, data_rows, uploaded_by,
      uploaded_at, summary, stage)
    select ${REALM}, ('0199f000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n || '.xlsx', n::text, n::text, 1, 200,
      'owner', '2026-11-02', '{}', 'posting'
    from generate_series(1, ${MANY}::int) n`.execute(db);
  await addInvoices(db, { from: 1, to: MANY, state: "done" });
  await sql`vacuum analyze upload, upload_invoice, write`.execute(db);
  await sql`insert into upload (realm_id, id, file_name, sha256, object_key, size_bytes, data_rows, uploaded_by,
      uploaded_at, summary, stage)
    values (${REALM}, ${MINE}, 'mine.xlsx', 'mine', 'mine', 1, 200, 'owner', '2026-11-02', '{}', 'review')`.execute(
    db,
  );
  await addInvoices(db, { from: 0xffff, to: 0xffff, state: null });
  return { db, pool };
}

const FIRST = "0199f000-0000-7000-8000-000000000001";
const SECOND = "0199f000-0000-7000-8000-000000000002";

async function secondUpload(db: Db): Promise<Upload> {
  const upload = await findUpload(db, REALM, SECOND);
  if (!upload) throw new Error("There is no upload.");
  return upload;
}

/** A company's second upload, posted just now: PostgreSQL has analyzed the first and assumes that the second has one invoice. */
async function withSecondUpload(): Promise<{ pool: Pool }> {
  const { db, pool, drop } = await createTestDatabase();
  onTestFinished(drop);
  await sql`insert into company (realm_id, name, created_at) values (${REALM}, 'Acme', now())`.execute(db);
  for (const [n, id] of [FIRST, SECOND].entries()) {
    await sql`insert into upload (realm_id, id, file_name, sha256, object_key, size_bytes, data_rows, uploaded_by,
        uploaded_at, summary, stage)
      values (${REALM}, ${id}, 'a.xlsx', ${id}, ${id}, 1, 200, 'owner', '2026-11-02', '{}', 'posting')`.execute(
      db,
    );
    await addInvoices(db, { from: n + 1, to: n + 1, state: "done" });
    if (id === FIRST) await sql`vacuum analyze upload, upload_invoice, write`.execute(db);
  }
  return { pool };
}

/** 200 invoices in each of some uploads, of amounts and days that others have too. */
async function addInvoices(db: Db, { from, to, state }: { from: number; to: number; state: "done" | null }) {
  await sql`insert into upload_invoice (realm_id, upload_id, invoice_key, seq, row_numbers, customer_name, amount_cents,
      draft, fingerprint, file_fingerprint, verdict)
    select ${REALM}, ('0199f000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, i::text, i, array[i + 2],
      'Customer ' || i % 50, (n * 37 + i) % 9000, jsonb_build_object('TxnDate', '2026-10-' || 10 + (n + i) % 20,
      'Line', repeat('x', 400)), md5(n || '-' || i), md5(i || '-' || n), 'ready'
    from generate_series(${from}::int, ${to}::int) n, generate_series(1, 200) i`.execute(db);
  if (!state) return;
  await sql`insert into write (realm_id, subject, part, command_id, seq, vendor, operation, request_id, fingerprint,
      planned_at, state, vendor_id, answer, last_sent_at)
    select realm_id, upload_id, invoice_key, upload_id, seq, 'intuit', 'create', upload_id || invoice_key, fingerprint, now(),
      case when seq = 7 and upload_id::text like '%1' then 'unresolved' else ${state} end,
      upload_id || invoice_key, '{}', now() from upload_invoice on conflict do nothing`.execute(db);
}

test("possible duplicates among posted invoices are found by an index, however many are posted", async () => {
  const { pool } = await withHistory();
  const found = await explainSearch(pool, (db) =>
    findPostedDuplicates(db, { realmId: REALM, id: MINE }, SINCE),
  );
  expect(found.indexes).toContain("upload_invoice_looks");
  expect(found.scannedTables).not.toContain("upload_invoice");
});

test("writes in doubt are found by an index, however many writes there are", async () => {
  const { pool } = await withHistory();
  const found = await explainSearch(pool, (db) =>
    findInDoubt(db, { realmId: REALM, vendor: VENDOR }, { limit: 200 }),
  );
  expect(found).toEqual({ indexes: ["write_in_doubt"], scannedTables: [] });
});

test("equal invoices from other files are found by an index, however many are posted", async () => {
  const { db, pool } = await withHistory();
  const upload = await findUpload(db, REALM, MINE);
  if (!upload) throw new Error("There is no upload.");
  const { rows } = await sql<{
    fingerprint: string;
    fileFingerprint: string;
  }>`select fingerprint, file_fingerprint as "fileFingerprint" from upload_invoice where upload_id = ${MINE}`.execute(
    db,
  );
  const equal = rows.map((row, place) => ({ ...row, number: place % 2 ? `N-${place}` : null }));
  const found = await explainSearch(pool, (logged) =>
    findEarlier(logged, upload, { equal, since: SINCE, ids: [] }),
  );
  expect(found.indexes).toEqual(
    expect.arrayContaining(["upload_invoice_fingerprint", "upload_invoice_file_fingerprint"]),
  );
  expect(found.scannedTables).not.toContain("upload_invoice");
});

test.each([
  ["the review", (db: Db) => findCheckedRows(db, { realmId: REALM, id: SECOND })],
  ["the results", async (db: Db) => findResultEntries(db, await secondUpload(db))],
  ["the sums of a receipt", (db: Db) => sumLedger(db, { realmId: REALM, id: SECOND })],
  ["what is in the books", (db: Db) => countInBooks(db, { realmId: REALM, id: SECOND })],
] as const)(
  "%s of an upload that PostgreSQL has not analyzed yet takes as many rows as it has, not every pair of them",
  async (_name, read) => {
    const { pool } = await withSecondUpload();
    // Each of 200 invoices, its create and its undo, in two statements at most; all pairs would be 20,000.
    expect(await countRowsRead(pool, read)).toBeLessThan(2 * 4 * 200);
  },
);
