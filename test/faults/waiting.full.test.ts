import { expect, test } from "vitest";
import { listUploads, postInvoices, type UploadList } from "#features/invoices/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { newest, openDesk } from "#features/invoices/undo/fixtures/open-desk.ts";
import { steppedClock } from "../support/stepped-clock.ts";
import { ACME, BAY, type JournalEntry, liftLimits } from "../support/intuit.ts";
import { hurryRuns, startRun } from "../support/ledger.ts";
import { startApp } from "../support/start-app.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { invoiceLine, invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";

const query = { realm_id: ACME };

test.each([
  { what: "while it checks", away: ["query"] },
  { what: "while it posts", away: ["batch", "invoice.create"] },
])(
  "an outage of QuickBooks $what makes an upload wait, however long it lasts, and the upload continues by itself",
  async ({ away }) => {
    const clock = steppedClock();
    const app = await startApp({ clock, worker: false });
    const browser = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    await uploadRows(browser, ACME, invoiceRows(20, { prefix: "W" }));
    const newest = async () => {
      const list = (await browser.call(listUploads, { query })).json() as UploadList;
      return list.uploads[0];
    };
    const uploadId = (await newest())?.id ?? "";
    await app.intuit.control(
      "faults",
      away.map((operation) => ({ fault: "500", match: { operation } })),
    );
    for (let time = 0; time < 25; time += 1) {
      const { afterMs } = await startRun(app, uploadId, 3);
      expect(afterMs).toBeGreaterThan(0);
      clock.advance(afterMs ?? 0);
      if (away.includes("batch") && (await isAway(newest))) break;
    }
    const waiting = await newest();
    expect(waiting?.counts).toMatchObject({ completed: 0, problems: 0, open: 20 });
    expect(waiting?.results).toEqual([
      {
        status: 100,
        rows: "2-21",
        message: "Waiting: QuickBooks isn't responding. Nothing is lost; the upload will continue by itself.",
      },
    ]);
    await app.intuit.control("faults", undefined, "DELETE");
    clock.advance(10 * 60_000);
    await hurryRuns(app.db);
    await app.work();
    await app.settle();
    expect((await newest())?.counts.completed).toBe(20);
  },
);

const isAway = async (newest: () => Promise<UploadList["uploads"][number] | undefined>) =>
  (await newest())?.results[0]?.message.includes("isn't responding") ?? false;

test.each([
  { says: "nothing", retryAfter: undefined, waits: 60 },
  { says: "seconds", retryAfter: { seconds: 90 }, waits: 90 },
  { says: "a date", retryAfter: { seconds: 90, as: "date" }, waits: 90 },
])(
  "throttled by QuickBooks, whose retry-after names $says, the company sends nothing for that long and every invoice is posted once",
  async ({ retryAfter, waits }) => {
    const app = await startApp();
    const browser = await app.owner(ACME);
    await liftLimits(app.intuit, ACME);
    await app.intuit.control("faults", [
      { fault: "429", code: "003001", match: { operation: "batch" }, count: 1, retryAfter },
    ]);
    const before = (await app.intuit.invoices(ACME)).length;
    await app.intuit.control("journal", undefined, "DELETE");
    await uploadRows(browser, ACME, invoiceRows(20, { prefix: "TH" }));
    const [upload] = (await settledUploads(browser, ACME)).uploads;
    expect(upload?.counts).toEqual({ total: 20, completed: 20, problems: 0, open: 0 });
    expect(await app.intuit.invoices(ACME)).toHaveLength(before + 20);
    const { entries } = await app.intuit.control<{ entries: JournalEntry[] }>("journal?operation=batch");
    expect(entries.map(({ status }) => status)).toEqual([429, 200]);
    const [first = 0, second = 0] = entries.map(({ time }) => Date.parse(String(time)));
    // A date has no fractions of a second.
    expect(second - first).toBeGreaterThanOrEqual((waits - 1) * 1_000);
  },
);

test.each([
  { what: "before it has touched any", away: ["query"], action: "delete" },
  { what: "while they are deleted", away: ["batch", "invoice.delete"], action: "delete" },
  { what: "while they are voided", away: ["batch", "invoice.void"], action: "void" },
] as const)(
  "an outage of QuickBooks $what pauses an undo, however long it lasts, and the undo continues by itself",
  async ({ away, action }) => {
    const desk = await openDesk(60, { worker: false });
    const { app } = desk;
    const stop = await app.work();
    const upload = await desk.upload();
    await stop();
    await desk.ask(upload.id, action);
    const leave = (operations: readonly string[]) => {
      const rules = operations.map((operation) => ({ fault: "500", match: { operation } }));
      return app.intuit.control("faults", rules);
    };
    await leave(away);
    const runOnce = async () => {
      const { afterMs } = await startRun(app, upload.id, 3);
      expect(afterMs).toBeGreaterThan(0);
      desk.clock.advance(afterMs ?? 0);
      return (await desk.preview(upload.id)).run?.state;
    };
    for (let time = 0; time < 25 && (await runOnce()) !== "paused"; time += 1);
    const untouched = !away.some((operation) => operation === "batch");
    const sentence =
      "Waiting: QuickBooks isn't responding. Nothing is lost; the undo will continue by itself.";
    expect((await desk.preview(upload.id)).run).toMatchObject({ state: "paused", sentence });
    const counts = (await newest(desk))?.counts;
    expect(counts).toEqual({
      total: 60,
      completed: untouched ? 60 : 0,
      problems: 0,
      open: untouched ? 0 : 60,
    });
    const message = untouched ? `60 invoices posted. Not undone yet. ${sentence}` : sentence;
    const link = expect.stringContaining("/qbo/") as string;
    const posted = ["U-1", "U-60"].map((number) => ({ number, link }));
    expect((await newest(desk))?.results).toEqual([
      { status: untouched ? 0 : 100, rows: "2-61", message, ...(untouched ? { invoices: 60, posted } : {}) },
    ]);
    await leave(["query", ...away]);
    for (let time = 0; time < 4; time += 1) expect(await runOnce()).toBe("paused");
    expect((await desk.preview(upload.id)).run).toMatchObject({ state: "paused", skipped: { invoices: 0 } });
    await app.intuit.control("faults", undefined, "DELETE");
    desk.clock.advance(10 * 60_000);
    await hurryRuns(app.db);
    await app.work();
    // A batch whose answer failed is searched for, and a few of them wait longer than others.
    await app.settle(60_000);
    expect((await desk.preview(upload.id)).run).toMatchObject({
      state: "finished",
      undone: { invoices: 60 },
      skipped: { invoices: 0 },
    });
    const made = await desk.made();
    expect(made.map(({ TotalAmt }) => TotalAmt)).toEqual(action === "void" ? made.map(() => 0) : []);
  },
);

test("an upload waits for a user already in its check when Intuit rejects the authorization, even after a renewal", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await app.intuit.control("faults", [{ fault: "expired_token", match: { operation: "query" } }]);
  await uploadRows(browser, ACME, invoiceRows(2, { prefix: "AU" }));
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results[0]?.message).toContain("reconnect the company to QuickBooks");
});

test("an undo and a new upload of the same file, both waiting for a connection, end with the file in the books", async () => {
  const desk = await openDesk(30);
  const upload = await desk.upload();
  const posted = await desk.made();
  await desk.app.intuit.control("faults", [{ fault: "revoked", match: { operation: "batch" }, count: 1 }]);
  expect(await desk.undo(upload.id)).toMatchObject({ state: "paused" });
  const second = await desk.upload();
  expect(second.results[0]?.message).toBe(
    "Waiting: an earlier upload of these invoices is being undone. Nothing is lost; the upload will continue by itself.",
  );
  await desk.browser.connect("owner@acme.example", desk.realmId);
  const list = await settledUploads(desk.browser, desk.realmId);
  expect(list.uploads.map(({ counts }) => [counts.completed, counts.undone])).toEqual([
    [30, undefined],
    [0, 30],
  ]);
  const old = new Set(posted.map(({ Id }) => Id));
  expect((await desk.made()).filter(({ Id }) => !old.has(Id))).toHaveLength(30);
});

test("a second upload of a file waits for an undo that was requested after it", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const bytes = await invoiceWorkbook(invoiceRows(5, { prefix: "WU" }));
  const post = async () => {
    const reply = await browser.call(postInvoices, { query, file: { name: "again.xlsx", bytes } });
    return (reply.json() as { id: string }).id;
  };
  const first = await post();
  const stop = await app.work();
  await settledUploads(browser, ACME);
  await stop();
  await post();
  const params = { upload_id: first };
  expect((await browser.call(startUndo, { query, params, json: { action: "delete" } })).status).toBe(202);
  await app.work();
  const list = await settledUploads(browser, ACME);
  expect(list.uploads.map(({ results }) => results[0]?.message)).toEqual([
    "5 invoices posted.",
    expect.stringMatching(/^Undone: 5 invoices were deleted/),
  ]);
});

test("an upload after an undo that waits for QuickBooks says why, and continues when the undo ends", async () => {
  const desk = await openDesk(5, { worker: false });
  const { app, browser } = desk;
  const stop = await app.work();
  const first = await desk.upload();
  await stop();
  await desk.ask(first.id);
  await app.intuit.control("faults", [{ fault: "500", match: { operation: "query" } }]);
  await startRun(app, first.id, 3);
  const bytes = await invoiceWorkbook(invoiceRows(5, { prefix: "U" }));
  const reply = await browser.call(postInvoices, { query, file: { name: "again.xlsx", bytes } });
  const { id: uploadId } = reply.json() as { id: string };
  expect(await startRun(app, uploadId)).toMatchObject({ state: "waiting", afterMs: null });
  expect((await newest(desk))?.results).toEqual([
    {
      status: 100,
      rows: "2-6",
      message:
        "Waiting: an earlier upload of these invoices is being undone. Nothing is lost; the upload will continue by itself.",
    },
  ]);
  await app.intuit.control("faults", undefined, "DELETE");
  await hurryRuns(app.db);
  await app.work();
  await app.settle();
  expect((await newest(desk))?.results[0]?.message).toBe("5 invoices posted.");
  expect(await desk.made()).toHaveLength(5);
});

for (const [kind, isGone] of [
  ["equal invoices", false],
  ["equal invoices that a user deleted in QuickBooks meanwhile", true],
] as const)
  test(`an upload that waits for the undo of ${kind} waits until that has ended, and asks QuickBooks nothing meanwhile`, async () => {
    const desk = await openDesk(1, { realmId: BAY, email: "platform@dockside.example", worker: false });
    const { app, browser } = desk;
    await uploadRows(browser, BAY, [invoiceLine("")]);
    const stop = await app.work();
    await settledUploads(browser, BAY);
    await stop();
    const first = (await newest(desk))?.id ?? "";
    await uploadRows(browser, BAY, [invoiceLine(""), invoiceLine("", { "Invoice Date": "2026-11-09" })]);
    const uploadId = (await newest(desk))?.id ?? "";
    expect((await desk.ask(first)).status).toBe(202);
    if (isGone)
      for (const { Id } of await desk.made())
        await app.intuit.control(`books/${BAY}/invoice/${Id}/delete`, {});
    expect(await startRun(app, uploadId)).toMatchObject({ state: "waiting", afterMs: null });
    expect((await newest(desk))?.results[0]?.message).toContain(
      "an earlier upload of these invoices is being undone",
    );
    await hurryRuns(app.db);
    await app.work();
    await app.settle();
    expect((await newest(desk))?.results[0]?.message).toBe("2 invoices posted.");
    expect(await desk.made()).toHaveLength(2);
  });
