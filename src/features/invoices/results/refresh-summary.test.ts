import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listUploadResults, listUploads, type UploadList } from "#features/invoices/contract.ts";
import { refreshSummary } from "#features/invoices/results/refresh-summary.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine } from "../../../../test/support/workbooks.ts";

const UNDO = "0199f000-0000-7000-8000-000000000001";

const entry = fc.record({
  state: fc.constantFrom(
    ...(["posted", "posted", "posted", "ready", "ready", "sending", "rejected"] as const),
    ...(["skipped", "unknown", "stopped", "undoing", "undone", "undone"] as const),
  ),
  message: fc.constantFrom("", "", "QuickBooks said no."),
  /** How many rows it takes, and whether it leaves the next one to another invoice. */
  size: fc.integer({ min: 1, max: 4 }),
  gap: fc.constantFrom(false, false, false, false, true),
  faults: fc.constantFrom("none", "none", "none", "warning", "error", "both"),
  undo: fc.constantFrom("none", "none", "gone", "kept"),
  number: fc.constantFrom(null, "1001"),
  /** So many invoices in a row are like this one. */
  times: fc.integer({ min: 1, max: 5 }),
});

const ledger = fc.record({
  entries: fc.array(entry, { maxLength: 30 }),
  notes: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
  upload: fc.constantFrom(
    { state: "working", reason: "" },
    { state: "finished", reason: "" },
    { state: "paused", reason: "QuickBooks does not answer." },
  ),
  undoWaits: fc.boolean(),
});
type Ledger = typeof ledger extends fc.Arbitrary<infer Value> ? Value : never;

test("AP-17 whatever an upload's ledger holds, the list has the first 25 of its results, their number and all rows counted", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const accepted = await uploadRows(browser, ACME, [invoiceLine("L-1")]);
  const { id } = accepted.json() as { id: string };
  const compare = async (drawn: Ledger) => {
    const rows = toRows(drawn);
    await sql`delete from upload_invoice`.execute(app.db);
    await sql`delete from upload_undo`.execute(app.db);
    if (drawn.undoWaits)
      await sql`insert into upload_undo (realm_id, id, upload_id, action, state, reason, requested_by, requested_at)
        values (${ACME}, ${UNDO}, ${id}, 'void', 'paused', 'QuickBooks is away.', 'owner', now())`.execute(
        app.db,
      );
    const notes = drawn.notes.map((row) => ({ row, text: `Row ${row}: a remark.`, severity: "warning" }));
    await sql`update upload set planned = true, state = ${drawn.upload.state}, reason = ${drawn.upload.reason},
      notes = ${JSON.stringify(notes)}::jsonb, data_rows = ${rows.flatMap((row) => row.row_numbers).length}`.execute(
      app.db,
    );
    await sql`insert into upload_invoice (realm_id, upload_id, invoice_key, seq, row_numbers, doc_number, customer_name,
        problems, state, request_id, message, undo_id, undo_action, undo_message, undone_at, qbo_doc_number)
      select ${ACME}, ${id}::uuid, seq::text, seq, row_numbers, seq::text, '', problems, state, seq::text, message,
        undo_id, undo_action, undo_message, undone_at, qbo_doc_number
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (seq int, row_numbers int[], problems jsonb,
        state text, message text, undo_id uuid, undo_action text, undo_message text, undone_at timestamptz,
        qbo_doc_number text)`.execute(app.db);
    await refreshSummary(app.application.invoices, ACME, id);
    const list = (await browser.call(listUploads, { query })).json() as UploadList;
    const whole = await browser.call(listUploadResults, { params: { upload_id: id }, query });
    const { results } = whole.json() as { results: UploadList["uploads"][number]["results"] };
    expect(list.uploads[0]?.results).toEqual(results.slice(0, 25));
    expect(list.uploads[0]?.result_count).toBe(results.length);
    const { total, ...counts } = list.uploads[0]?.counts ?? { total: -1 };
    expect(Object.values(counts).reduce<number>((sum, count = 0) => sum + count, 0)).toBe(total);
  };
  await fc.assert(fc.asyncProperty(ledger, compare), { numRuns: 40, seed: 20_261_121 });
});

/** Rows of the sheet go to the invoices in turn; those left out go to the last one. */
function toRows({ entries }: Ledger) {
  let next = 2;
  const left: number[] = [];
  const all = entries.flatMap((drawn) => Array.from({ length: drawn.times }, () => drawn));
  return all.map((drawn, seq) => {
    const row_numbers = Array.from({ length: drawn.size }, () => next++);
    if (drawn.gap) left.push(next++);
    const isLast = seq === all.length - 1;
    const rows = isLast ? [...left, ...row_numbers].toSorted((one, other) => one - other) : row_numbers;
    const faults = drawn.state === "rejected" && drawn.message === "" ? "error" : drawn.faults;
    return {
      seq,
      row_numbers: rows,
      problems: problemsOf(faults, rows),
      state: drawn.state,
      message: drawn.message,
      undo_id: drawn.undo === "none" && drawn.state !== "undone" ? null : UNDO,
      undo_action: drawn.undo === "none" && drawn.state !== "undone" ? null : "void",
      undo_message: drawn.undo === "kept" ? "It was paid." : "",
      undone_at: drawn.state === "undone" ? `2026-11-${20 + (drawn.size % 2)}T10:00:0${drawn.size}Z` : null,
      qbo_doc_number: drawn.number,
    };
  });
}

function problemsOf(faults: "none" | "warning" | "error" | "both", rows: readonly number[]) {
  const severities = { none: [], warning: ["warning"], error: ["error"], both: ["error", "warning"] }[faults];
  const [first = 0, second = first] = rows;
  return severities.flatMap((severity) =>
    [...new Set([first, second])].map((row) => ({ row, severity, text: `B${row}: ${severity}.` })),
  );
}
