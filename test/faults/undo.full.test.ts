import { sql } from "kysely";
import { expect, test } from "vitest";
import { previewUndo, startUndo, type UndoRun, type UndoStatus } from "#features/invoices/undo/contract.ts";
import type { Browser } from "../support/browser.ts";
import { openDesk } from "../support/desk.ts";
import { ACME, BAY, type BooksInvoice } from "../support/intuit.ts";
import type { TestApp } from "../support/start-app.ts";
import { uploadRows } from "../support/uploads.ts";
import { type InvoiceRow, invoiceRows } from "../support/workbooks.ts";
import { battery, seededRandom, printCounts } from "./support/battery.ts";
import { compareBooks } from "./support/invoices.ts";
import { untilFinished } from "./support/uploads.ts";
import { vendorFaults } from "./support/vendor-faults.ts";

const INVOICES = 300;
/** A hanging call is cut off after seconds: one percent of hundreds of calls hang. */
const TIMEOUTS = { INTUIT_READ_TIMEOUT_MS: "10000", INTUIT_WRITE_TIMEOUT_MS: "10000" };
const PAID = 10;
const EDITED = 5;

const undos = battery({ short: 1, long: 20 });
test(
  `${undos.times} times an undo and the same file again with a vendor with many faults: 285 of 300 are created again, and no undone invoice is left`,
  { timeout: undos.timeout },
  async () => {
    const random = seededRandom(undos.seed);
    const totals = { undone: 0, recreated: 0, ghosts: 0, missing: 0, doubled: 0, strangers: 0 };
    const desks = [await open(ACME), await open(BAY)] as const;
    for (let time = 0; time < undos.times; time += 1) {
      const desk = desks[time % 2 === 0 ? 0 : 1];
      const { app, realmId } = desk;
      const rows = nextRows(desk, time);
      const before = collectIds(await app.intuit.invoices(realmId));
      const made = async () => (await app.intuit.invoices(realmId)).filter(({ Id }) => !before.has(Id));
      const uploadId = await desk.upload(rows);
      const posted = await made();
      const touched = pickSome(posted, PAID + EDITED, random);
      for (const { Id } of touched.slice(0, PAID)) await desk.byOthers(Id, "pay", { amount: 1 });
      for (const { Id } of touched.slice(PAID)) await desk.byOthers(Id, "update", { PrivateNote: "by hand" });
      await app.intuit.control(
        "faults",
        vendorFaults(undos.seed + time * 100, undos.isLong ? {} : { hangMs: 500 }),
      );
      // A voided invoice keeps its number, so that only where QuickBooks gives the numbers the file can be sent again.
      const run = await desk.undo(uploadId, realmId === BAY && time % 4 === 1 ? "void" : "delete");
      expect(run.left.map(({ reason }) => reason).toSorted()).toEqual([
        ...Array.from({ length: EDITED }, () => "edited"),
        ...Array.from({ length: PAID }, () => "paid"),
      ]);
      await desk.upload(rows);
      await app.intuit.control("faults", undefined, "DELETE");
      const now = (await made()).filter(({ TotalAmt }) => TotalAmt > 0);
      const books = compareBooks(now, rows);
      const old = collectIds(posted);
      totals.undone += run.undone.invoices;
      totals.recreated += now.filter(({ Id }) => !old.has(Id)).length;
      totals.ghosts += await countGhosts(desk, now);
      for (const key of ["missing", "doubled", "strangers"] as const) totals[key] += books[key];
    }
    const goes = undos.times * (INVOICES - PAID - EDITED);
    printCounts(undos, "undo", { times: undos.times, ...totals });
    expect(totals).toEqual({
      undone: goes,
      recreated: goes,
      ghosts: 0,
      missing: 0,
      doubled: 0,
      strangers: 0,
    });
  },
);

const changes = battery({ short: 20, long: 500 });
const WAYS = ["pay", "update", "void", "delete"] as const;
const FIELDS = { pay: { amount: 1 }, update: { PrivateNote: "by hand" }, void: {}, delete: {} };

test(
  `${changes.times} invoices are paid, edited, voided or deleted by others during undos: each stays as they left it`,
  { timeout: changes.timeout },
  async () => {
    const random = seededRandom(changes.seed);
    const desk = await open(ACME);
    const { app } = desk;
    const counts = { pay: 0, update: 0, void: 0, delete: 0 };
    const struck = () => Object.values(counts).reduce((sum, count) => sum + count, 0);
    let [undosMade, tooLate] = [0, 0];
    while (struck() < changes.times) {
      const before = collectIds(await app.intuit.invoices(ACME));
      const made = async () => (await app.intuit.invoices(ACME)).filter(({ Id }) => !before.has(Id));
      const uploadId = await desk.upload(nextRows(desk, undosMade));
      undosMade += 1;
      const targets = pickSome(await made(), Math.min(40, changes.times - struck()), random);
      const latency = { fault: "latency", ms: 60, match: { operation: "batch" }, probability: 0.7 };
      await app.intuit.control("faults", [{ ...latency, seed: changes.seed + undosMade }]);
      await desk.ask(uploadId, "delete");
      const asOthersLeftThem: BooksInvoice[] = [];
      for (const { Id } of targets) {
        await app.settle(random() * 25);
        const way = WAYS[Math.floor(random() * WAYS.length)] ?? "pay";
        const changed = await desk.byOthers(Id, way, FIELDS[way]).catch(() => null);
        // Others no longer find invoices that the undo took out first.
        if (!changed) tooLate += 1;
        if (changed) counts[way] += 1;
        if (changed && way !== "delete") asOthersLeftThem.push(changed);
      }
      const run = await desk.ended(uploadId);
      await app.intuit.control("faults", undefined, "DELETE");
      const byId = (a: BooksInvoice, b: BooksInvoice) => Number(a.Id) - Number(b.Id);
      expect((await made()).toSorted(byId)).toEqual(asOthersLeftThem.toSorted(byId));
      expect(run.undone.invoices + run.skipped.invoices).toBe(INVOICES);
    }
    printCounts(changes, "undo during changes", { undos: undosMade, ...counts, "gone before": tooLate });
    expect(struck()).toBe(changes.times);
  },
);

type Desk = Awaited<ReturnType<typeof open>>;

/** A company in its own product, and users' actions there. */
async function open(realmId: typeof ACME | typeof BAY) {
  const { app, browser, query } = await openDesk(realmId, { env: TIMEOUTS });
  const ask = async (uploadId: string, action: "void" | "delete") => {
    const params = { upload_id: uploadId };
    const asked = await browser.call(startUndo, { query, params, json: { action } });
    expect(asked.status).toBe(202);
  };
  const ended = (uploadId: string) => untilUndone(browser, realmId, uploadId);
  return {
    app,
    realmId,
    ask,
    ended,
    undo: async (uploadId: string, action: "void" | "delete") => {
      await ask(uploadId, action);
      return ended(uploadId);
    },
    /** @returns the id of the upload, which posted all that was not in the books */
    upload: async (rows: readonly InvoiceRow[]) => {
      expect((await uploadRows(browser, realmId, rows)).status).toBe(202);
      const { id, counts } = await untilFinished(browser, realmId);
      const { completed, skipped = 0, problems, open } = counts;
      expect({ sent: completed + skipped, problems, open }).toEqual({ sent: INVOICES, problems: 0, open: 0 });
      return id;
    },
    byOthers: (id: string, way: (typeof WAYS)[number], fields: object) =>
      app.intuit.control<BooksInvoice>(`books/${realmId}/invoice/${id}/${way}`, fields),
  };
}

/** Waits for the end of the undo: pauses for a vendor that does not answer end by themselves. */
async function untilUndone(browser: Browser, realmId: string, uploadId: string): Promise<UndoRun> {
  for (;;) {
    await browser.settle();
    const query = { realm_id: realmId };
    const reply = await browser.call(previewUndo, { query, params: { upload_id: uploadId } });
    const { run } = reply.json() as UndoStatus;
    if (!run) throw new Error("There is no undo.");
    if (run.state === "finished") return run;
    expect(run.state).not.toBe("stopped");
  }
}

const nextRows = ({ realmId }: Desk, time: number) =>
  invoiceRows(INVOICES, {
    prefix: realmId === ACME ? `G${time}` : "",
    firstCents: 1_000 + time * INVOICES,
  });

const collectIds = (invoices: readonly BooksInvoice[]) => new Set(invoices.map(({ Id }) => Id));

/** Some of a list, each at most once. */
function pickSome<T>(list: readonly T[], count: number, random: () => number): T[] {
  const left = [...list];
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)).flat();
}

/** Invoices that the ledger calls posted and that are not in the books, or nothing is owed for. */
async function countGhosts(
  { app, realmId }: { app: TestApp; realmId: string },
  live: readonly BooksInvoice[],
) {
  const there = collectIds(live);
  const { rows } = await sql<{ qbo_id: string }>`select e.qbo_id from ledger_entry e
    join upload u on u.realm_id = e.realm_id and u.id = e.upload_id
    where e.realm_id = ${realmId} and e.state = 'posted'
      and u.uploaded_at = (select max(uploaded_at) from upload where realm_id = ${realmId})`.execute(app.db);
  expect(rows).toHaveLength(INVOICES - PAID - EDITED);
  return rows.filter(({ qbo_id }) => !there.has(qbo_id)).length;
}
