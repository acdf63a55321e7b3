import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listUploadResults, listUploads, type UploadList } from "#features/invoices/contract.ts";
import type { Problem } from "#formats/table/problem.ts";
import type { ResultEntry } from "#features/invoices/results/rules-lines.ts";
import { joinResults, toResult } from "#features/invoices/results/rules-results.ts";
import { findPosted } from "#features/invoices/results/store.ts";
import { dayIn } from "#formats/text/phrases.ts";
import { toWireResult } from "#features/invoices/results/sentences-results.ts";
import { refreshSummary } from "#features/invoices/results/refresh-summary.ts";
import type { Db } from "#platform/db/connect.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine } from "../../../../test/support/workbooks.ts";

const UNDO = "0199f000-0000-7000-8000-000000000001";

const entry = fc.record({
  state: fc.constantFrom(
    ...(["posted", "posted", "posted", "ready", "ready", "sending", "rejected"] as const),
    ...(["skipped", "unresolved", "stopped", "undoing", "undone", "undone"] as const),
  ),
  /** Whether the plan, or QuickBooks, said why. */
  isExplained: fc.constantFrom(false, false, true),
  /** How many rows it takes, and whether it leaves the next one to another invoice. */
  size: fc.integer({ min: 1, max: 4 }),
  gap: fc.constantFrom(false, false, false, false, true),
  faults: fc.constantFrom("none", "none", "none", "warning", "error", "both"),
  undo: fc.constantFrom("none", "none", "gone", "kept"),
  number: fc.constantFrom(null, "1001"),
  /** How many invoices in a row are like this one. */
  times: fc.integer({ min: 1, max: 5 }),
});

const ledger = fc.record({
  entries: fc.array(entry, { maxLength: 30 }),
  notes: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
  upload: fc.constantFrom(
    { state: "working", cause: null },
    { state: "done", cause: null },
    { state: "waiting", cause: { code: "no_answer" } },
  ),
  undoWaits: fc.boolean(),
});

/** Two neighbors without a problem, undone on two days in the company's time zone: their sizes choose the days. */
const OVER_MIDNIGHT: Ledger = {
  entries: [1, 2].map((size) => ({
    state: "undone",
    isExplained: false,
    size,
    gap: false,
    faults: "none",
    undo: "none",
    number: null,
    times: 1,
  })),
  notes: [],
  upload: { state: "done", cause: null },
  undoWaits: false,
};

type App = Awaited<ReturnType<typeof startApp>>;
type Ledger = typeof ledger extends fc.Arbitrary<infer Value> ? Value : never;

test("AP-17 for any ledger of an upload, the list has the first 25 of its results, their number and all rows counted", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const accepted = await uploadRows(browser, ACME, [invoiceLine("L-1")]);
  const { id } = accepted.json() as { id: string };
  const compare = async (drawn: Ledger) => {
    const rows = toRows(drawn);
    await sql`delete from upload_invoice`.execute(app.db);
    await sql`delete from write`.execute(app.db);
    await sql`delete from run where kind = 'invoices.void-upload'`.execute(app.db);
    if (drawn.undoWaits)
      await sql`insert into run (realm_id, id, kind, lane, subject, state, cause, requested_by, requested_at)
        values (${ACME}, ${UNDO}, 'invoices.void-upload', 'books', ${id}, 'waiting', '{"code": "no_answer"}', 'owner',
          now())`.execute(app.db);
    await sql`update run set state = ${drawn.upload.state}, cause = ${JSON.stringify(drawn.upload.cause)}::jsonb
      where kind = 'invoices.post-upload'`.execute(app.db);
    const notes = drawn.notes.map(remarkOn);
    await sql`update upload set stage = 'posting', notes = ${JSON.stringify(notes)}::jsonb, data_rows = ${rows.flatMap((row) => row.row_numbers).length}`.execute(
      app.db,
    );
    await addLedger(app.db, id, rows);
    await refreshSummary(app.application.invoices, { realmId: ACME, id });
    const list = (await browser.call(listUploads, { query })).json() as UploadList;
    const expected = await readPlainly(app, { drawn, id, notes });
    const complete = await browser.call(listUploadResults, { params: { upload_id: id }, query });
    const { results } = complete.json() as { results: UploadList["uploads"][number]["results"] };
    if (expected.length > 0) expect(results).toEqual(expected);
    expect(list.uploads[0]?.results).toEqual(results.slice(0, 25));
    expect(list.uploads[0]?.result_count).toBe(results.length);
    const { total, ...counts } = list.uploads[0]?.counts ?? { total: -1 };
    expect(addCounts(counts)).toBe(total);
    if (rows.length === 0) return;
    const {
      total: invoices,
      amount: _amount,
      currencies: _,
      ...outcomes
    } = list.uploads[0]?.invoices ?? none;
    expect([addCounts(outcomes), invoices]).toEqual([rows.length, rows.length]);
  };
  await fc.assert(fc.asyncProperty(ledger, compare), {
    examples: [[OVER_MIDNIGHT]],
    numRuns: 40,
    seed: 20_261_121,
  });
});

const none = { total: -1, amount: "", currencies: [] };
const addCounts = (counts: Record<string, number | undefined>) =>
  Object.values(counts).reduce<number>((sum, count = 0) => sum + count, 0);

/** The results of a ledger that is read invoice by invoice. */
async function readPlainly(app: App, { drawn, id, notes }: { drawn: Ledger; id: string; notes: Problem[] }) {
  type Row = Omit<ResultEntry, "problems"> & {
    facts: Problem[];
    undo_action: "void" | null;
    undone_at: Date | null;
  };
  const { rows } = await sql<Row>`select seq, row_numbers as rows, state, cause, doc_number as "docNumber",
      qbo_doc_number as number, undo_cause as "undoCause", undo_action, undone_at, draft ->> 'TxnDate' as "txnDate",
      problems as facts
    from ledger_entry where upload_id = ${id}::uuid order by seq`.execute(app.db);
  const undoWaits = { code: "no_answer" };
  const entries = rows.map(({ facts, undo_action: action, undone_at: at, ...row }) => ({
    ...row,
    problems: facts.map((each) => ({
      ...each,
      fingerprint: JSON.stringify({ ...each, row: 0 }),
      facts: each,
    })),
    undoWaits: drawn.undoWaits && (row.state === "undoing" || action === null) ? undoWaits : null,
    undone: at && action && !row.undoCause ? { action, day: dayIn("America/Los_Angeles")(at) } : null,
  }));
  const { state, cause } = drawn.upload;
  const about = { stage: "posting", notes, waitsFor: state === "waiting" ? cause : null } as const;
  const joined = entries.length === 0 ? [] : joinResults(entries, about);
  const seqs = rows.flatMap(({ seq }) => seq ?? []);
  const posted = await findPosted(app.db, { realmId: ACME, id }, seqs);
  const support = {
    uploadId: id,
    findPage: (invoice: string) => app.application.invoices.invoicePage({ realmId: ACME, id: invoice }),
    sheets: [],
  };
  return joined.map((each) => toWireResult(toResult(each, posted), support));
}

/** Rows of the sheet go to the invoices in turn; those left out go to the last one. */
function toRows({ entries }: Ledger) {
  let next = 2;
  const left: number[] = [];
  const all = entries.flatMap((drawn) => Array.from({ length: drawn.times }, () => drawn));
  return all.map((drawn, seq) => {
    const row_numbers = Array.from({ length: drawn.size }, () => next++);
    if (drawn.gap) left.push(next++);
    const isLast = seq === all.length - 1;
    const rows = isLast ? [...left, ...row_numbers].toSorted((a, b) => a - b) : row_numbers;
    const faults = drawn.state === "rejected" && !drawn.isExplained ? "error" : drawn.faults;
    return {
      seq,
      row_numbers: rows,
      problems: listProblems(faults, rows),
      verdict: VERDICTS.find((verdict) => verdict === drawn.state) ?? "ready",
      cause: (drawn.isExplained && CAUSES[drawn.state]) || null,
      create: createOne(drawn),
      undo: undoOne(drawn),
      qbo_doc_number: drawn.number,
    };
  });
}

type Drawn = Ledger["entries"][number];
const VERDICTS = ["rejected", "skipped", "stopped"] as const;

const earlier = { file: "a.xlsx", day: "2026-11-21", number: null, books: "there" };
/** Why the plan, or QuickBooks in its first check, refuses. */
const CAUSES: Partial<Record<Drawn["state"], unknown>> = {
  rejected: { code: "refused", params: { detail: "No." }, tid: null },
  skipped: { code: "same_file", params: earlier, tid: null },
  stopped: { code: "all_or_nothing", params: { faulty: 2 }, tid: null },
};

/** State and cause of the create that makes an entry what was drawn. */
function createOne({ state, isExplained }: Drawn) {
  if (state === "ready" || VERDICTS.some((verdict) => verdict === state)) return null;
  if (state === "sending") return { state: "sent", cause: null };
  if (state !== "unresolved") return { state: "done", cause: null };
  return {
    state: "unresolved",
    cause: { code: isExplained ? "altered" : "in_doubt", params: {}, tid: null },
  };
}

function undoOne({ state, undo, size }: Drawn) {
  if (state === "undoing") return { state: "sent", cause: null, settled_at: null };
  // Two days in the company's time zone, and one day in UTC.
  const settled_at = `2026-11-21T0${7 + (size % 2)}:59:0${size}Z`;
  if (state === "undone") {
    const cause = undo === "none" ? null : { code: "voided", params: {}, tid: null };
    return { state: cause ? "refused" : "done", cause, settled_at };
  }
  if (state !== "posted" || undo === "none") return null;
  return { state: "refused", cause: { code: "paid", params: {}, tid: null }, settled_at };
}

async function addLedger(db: Db, uploadId: string, rows: ReturnType<typeof toRows>): Promise<void> {
  const text = JSON.stringify(rows);
  await sql`insert into upload_invoice (realm_id, upload_id, invoice_key, seq, row_numbers, doc_number, customer_name,
      draft, problems, verdict, cause)
    select ${ACME}, ${uploadId}::uuid, seq::text, seq, row_numbers, seq::text, '', '{"TxnDate": "2026-11-02"}',
      problems, verdict, nullif(cause, 'null')
    from jsonb_to_recordset(${text}::jsonb) as e (seq int, row_numbers int[], problems jsonb, verdict text,
      cause jsonb)`.execute(db);
  for (const { operation, command, name } of [
    { operation: "create", command: uploadId, name: "create" },
    { operation: "void", command: UNDO, name: "undo" },
  ]) {
    await sql`insert into write (realm_id, subject, part, command_id, seq, vendor, operation, request_id, fingerprint,
        planned_at, state, cause, answer, settled_at)
      select ${ACME}, ${uploadId}::uuid, seq::text, ${command}::uuid, seq, 'intuit', ${operation}, seq::text, '', now(),
        w ->> 'state', nullif(w -> 'cause', 'null'),
        jsonb_build_object('facts', jsonb_build_object('qboDocNumber', qbo_doc_number)), (w ->> 'settled_at')::timestamptz
      from (select seq, qbo_doc_number, to_jsonb(e) -> ${name}::text as w
        from jsonb_to_recordset(${text}::jsonb) as e (seq int, qbo_doc_number text, "create" jsonb, undo jsonb)) made
      where w <> 'null'`.execute(db);
  }
}

function listProblems(faults: "none" | "warning" | "error" | "both", rows: readonly number[]) {
  const severities = { none: [], warning: ["warning"], error: ["error"], both: ["error", "warning"] }[faults];
  const [first = 0, second = first] = rows;
  return severities.flatMap((severity) =>
    [...new Set([first, second])].map((row) => makeProblem(row, severity)),
  );
}

const makeProblem = (row: number, severity: string) => ({
  code: "not_an_email",
  severity,
  field: "email",
  row,
  column: 1,
  value: severity,
  params: {},
});

const remarkOn = (row: number): Problem => ({
  code: "total_rows",
  severity: "warning",
  field: null,
  row,
  column: null,
  value: "",
  params: { count: 1, ranges: [row, row] },
});
