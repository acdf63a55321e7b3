import { sql } from "kysely";
import { expect, test } from "vitest";
import { countEntries, finishRun, startRun } from "../../../../test/support/ledger.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import { previewUndo, startUndo, type UndoStatus } from "#features/invoices/undo/contract.ts";
import { act, edit, newest, openDesk, pay, type Desk } from "#features/invoices/undo/fixtures/open-desk.ts";
import { LeaseLost } from "#platform/runs/fence.ts";
import { RUNS_CHANNEL } from "#platform/runs/store.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { BAY, holdCalls } from "../../../../test/support/intuit.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";
import { invoiceLine, invoiceWorkbook } from "../../../../test/support/workbooks.ts";

const HOUR_MS = 3_600_000;

const faults = (desk: Desk, rules: object[]) => desk.app.intuit.control("faults", rules);
const noFaults = (desk: Desk) => desk.app.intuit.control("faults", undefined, "DELETE");

/** Workers that listen for new runs: one that stops ends that first. */
const countListeners = async ({ app }: Desk) => {
  const listeners = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and query ilike ${`listen%${RUNS_CHANNEL}%`}`;
  return (await listeners.execute(app.db)).rows[0]?.n;
};

/** Maximum concurrent calls of one run. */
const CALLS_AT_ONCE = 3;

const countUndoing = ({ app }: Desk) => countEntries(app.db, "undoing");

test.each([
  { seed: 1, action: "delete" },
  { seed: 2, action: "delete" },
  { seed: 3, action: "void" },
  { seed: 4, action: "void" },
] as const)(
  "with lost, cut and refused answers every invoice is undone and no other is touched ($action, seed $seed)",
  async ({ seed, action }) => {
    const desk = await openDesk(200);
    const others = await desk.app.intuit.invoices(desk.realmId);
    const upload = await desk.upload();
    await faults(desk, [
      { fault: "committed_answer_lost", match: { operation: "batch" }, probability: 0.3, seed },
      { fault: "500", match: { operation: "batch" }, probability: 0.1, seed: seed + 100 },
      { fault: "committed_500", match: { operation: "batch" }, probability: 0.1, seed: seed + 200 },
      { fault: "half_body", match: { operation: "batch" }, probability: 0.1, seed: seed + 300 },
      { fault: "hang", match: { operation: "batch" }, probability: 0.05, seed: seed + 400, ms: 300 },
      {
        fault: "code",
        code: "10000",
        match: { operation: "batch.item" },
        probability: 0.05,
        seed: seed + 500,
      },
      { fault: "committed_answer_lost", match: { operation: `invoice.${action}` }, everyN: 2 },
      { fault: "500", match: { operation: "query" }, probability: 0.1, seed: seed + 600 },
    ]);
    await desk.undo(upload.id, action);
    // Answers lost in a row pause it for a while.
    const state = async () => (await desk.preview(upload.id)).run?.state;
    await desk.app.settle();
    expect(await state()).toBe("finished");
    expect((await desk.preview(upload.id)).run).toMatchObject({
      undone: { invoices: 200 },
      skipped: { invoices: 0 },
      left: [],
    });
    const made = await desk.made();
    expect(made).toHaveLength(action === "void" ? 200 : 0);
    expect(made.every(({ TotalAmt }) => TotalAmt === 0)).toBe(true);
    const ours = new Set(made.map(({ Id }) => Id));
    const now = await desk.app.intuit.invoices(desk.realmId);
    expect(now.filter(({ Id }) => !ours.has(Id))).toEqual(others);
    const { entries } = await desk.app.intuit.control<{ entries: { fault: string | null }[] }>(
      "journal?limit=5000",
    );
    expect(entries.filter(({ fault }) => fault !== null).length).toBeGreaterThan(5);
  },
);

test("an undo waits while Intuit has disconnected the company, says so, and resumes after reconnecting", async () => {
  const desk = await openDesk(150);
  const upload = await desk.upload();
  await faults(desk, [
    { fault: "500", match: { operation: "batch" }, everyN: 3, count: 1 },
    { fault: "revoked", match: { operation: "batch" }, everyN: 4, count: 1 },
  ]);
  const waiting = await desk.undo(upload.id);
  expect(waiting).toMatchObject({
    state: "paused",
    finished_at: null,
    sentence: expect.stringContaining("reconnect the company to QuickBooks"),
  });
  const shown = await newest(desk);
  expect(shown?.counts.open).toBeGreaterThan(0);
  expect(shown?.results).toContainEqual(
    expect.objectContaining({
      status: 100,
      message: expect.stringContaining("the undo will continue by itself"),
    }),
  );
  expect(shown?.results.at(-1)).toEqual({
    status: 0,
    rows: expect.stringMatching(/-151$/),
    invoices: expect.any(Number),
    message: expect.stringMatching(
      /^\d+ invoices posted\. Not undone yet\. Waiting: reconnect the company to QuickBooks\. Nothing is lost; the undo will continue by itself\.$/,
    ),
    posted: expect.arrayContaining([{ number: expect.any(String), link: expect.any(String) }]),
  });
  await noFaults(desk);
  await desk.browser.connect("owner@acme.example", desk.realmId);
  await settledUploads(desk.browser, desk.realmId);
  const { run } = await desk.preview(upload.id);
  expect(run).toMatchObject({ state: "finished", undone: { invoices: 150 }, skipped: { invoices: 0 } });
  expect((await newest(desk))?.results.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Undone: 150 invoices were deleted/),
  ]);
  expect(await desk.made()).toEqual([]);
});

test.each(["delete", "void"] as const)(
  "what others pay, void or delete while an undo waits for the connection is left as theirs: nothing had been sent (%s)",
  async (action) => {
    const desk = await openDesk(4);
    const upload = await desk.upload();
    await faults(desk, [{ fault: "revoked", match: { operation: "batch" }, once: true }]);
    expect(await desk.undo(upload.id, action)).toMatchObject({ state: "paused", undone: { invoices: 0 } });
    await noFaults(desk);
    const [paid, voided, deleted] = await desk.made();
    if (!paid || !voided || !deleted) throw new Error("Too few invoices.");
    await pay(desk, paid, { keepToken: true });
    await act(desk, voided, "void");
    await act(desk, deleted, "delete");
    await desk.browser.connect("owner@acme.example", desk.realmId);
    await settledUploads(desk.browser, desk.realmId);
    const { run } = await desk.preview(upload.id);
    expect(run).toMatchObject({ state: "finished", undone: { invoices: 1 } });
    expect(run?.left.map(({ rows, reason }) => [rows, reason])).toEqual([
      ["2", "paid"],
      ["3", "voided"],
      ["4", "deleted"],
    ]);
  },
);

test.each([
  { action: "delete", fault: "500", goes: 3 },
  { action: "void", fault: "500", goes: 3 },
  { action: "delete", fault: "committed_500", goes: 4 },
  { action: "void", fault: "committed_500", goes: 4 },
] as const)(
  "an undo without a clear answer looks it up before it repeats what it had sent ($action, first try $fault)",
  async ({ action, fault, goes }) => {
    const desk = await openDesk(4, { worker: false });
    const stop = await desk.app.work();
    const upload = await desk.upload();
    await stop();
    const [paid] = await desk.made();
    await faults(desk, [{ fault, match: { operation: "batch" }, once: true }]);
    await desk.ask(upload.id, action);
    expect((await startRun(desk.app, upload.id)).state).toBe("waiting");
    if (goes < 4 && paid) await pay(desk, paid, { keepToken: true });
    await finishRun(desk.app, upload.id, desk);
    const { run } = await desk.preview(upload.id);
    expect(run).toMatchObject({ state: "finished", undone: { invoices: goes } });
    expect(run?.left.map(({ reason }) => reason)).toEqual(goes < 4 ? ["paid"] : []);
    const isUnvoided = ({ TotalAmt }: { TotalAmt: number }) => TotalAmt > 0;
    expect((await desk.made()).filter(isUnvoided)).toHaveLength(4 - goes);
  },
);

test("an ended QuickBooks subscription stops the undo with its reason, and undoing again does the rest", async () => {
  const desk = await openDesk(100);
  const upload = await desk.upload();
  const rule = {
    fault: "code",
    code: "6190",
    detail: "Subscription period has ended",
    match: { operation: "batch" },
  };
  await faults(desk, [rule]);
  const stopped = await desk.undo(upload.id);
  expect(stopped).toMatchObject({
    state: "stopped",
    sentence:
      "The undo stopped: the company's QuickBooks subscription has ended. Renew it in QuickBooks, then undo again.",
    undone: { invoices: 0 },
  });
  expect(await desk.made()).toHaveLength(100);
  expect((await newest(desk))?.counts).toEqual({ total: 100, completed: 100, problems: 0, open: 0 });
  await noFaults(desk);
  expect(await desk.undo(upload.id)).toMatchObject({ state: "finished", undone: { invoices: 100 } });
  expect(await desk.made()).toEqual([]);
});

test.each([
  ["5030", "The feature is not supported for this company."],
  ["5020", "Permission denied to change this invoice."],
])(
  "an undo that QuickBooks refuses because of its plan (%s) leaves the invoice, with QuickBooks' own reason",
  async (code, detail) => {
    const desk = await openDesk(3);
    const upload = await desk.upload();
    await faults(desk, [{ fault: "code", code, detail, match: { operation: "batch.item" }, count: 1 }]);
    const { left, undone } = await desk.undo(upload.id);
    expect(undone.invoices).toBe(2);
    expect(left.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(new RegExp(`^QuickBooks didn't let us undo invoice .*: ${detail}`)),
    ]);
    expect(await desk.made()).toHaveLength(1);
  },
);

test("an invoice edited while its undo is in progress is left, with the reason", async () => {
  const desk = await openDesk(20);
  const upload = await desk.upload();
  const [first, second] = await desk.made();
  if (!first || !second) throw new Error("Too few invoices.");
  const hold = await holdCalls(desk.app.intuit, { operation: "batch" });
  await faults(desk, [
    {
      fault: "code",
      code: "6540",
      detail: "Deposited Transaction cannot be changed.",
      match: { operation: "batch.item" },
      once: true,
    },
    { fault: "code", code: "6210", match: { operation: "batch.item" }, count: 1, everyN: 2 },
  ]);
  expect((await desk.ask(upload.id)).status).toBe(202);
  await desk.app.settle();
  expect(await countUndoing(desk)).toBe(20);
  const edited = (await desk.made())[10];
  if (!edited) throw new Error("Too few invoices.");
  await edit(desk, edited);
  await hold.release();
  await settledUploads(desk.browser, desk.realmId);
  const { run } = await desk.preview(upload.id);
  expect(run?.undone.invoices).toBe(17);
  expect(run?.left.map(({ rows, reason }) => [rows, reason])).toEqual([
    ["2", "refused"],
    ["3", "closed_period"],
    ["12", "edited"],
  ]);
  expect(run?.left[0]?.sentence).toBe(
    "QuickBooks didn't let us undo invoice U-1: Deposited Transaction cannot be changed.",
  );
  expect((await desk.made()).map(({ Id }) => Id)).toEqual([first.Id, second.Id, edited.Id]);
});

test("invoices in a closed period are left, before anything is sent", async () => {
  const desk = await openDesk(5);
  const upload = await desk.upload();
  const closed = { preferences: { AccountingInfoPrefs: { BookCloseDate: "2026-11-02" } } };
  await desk.app.intuit.control(`companies/${desk.realmId}`, closed, "PATCH");
  const { preview } = await desk.preview(upload.id);
  expect(preview).toMatchObject({
    to_undo: { invoices: 0, amount: "0.00" },
    skipped_by_reason: [{ reason: "closed_period", invoices: 5 }],
  });
  await desk.app.intuit.control("journal", undefined, "DELETE");
  expect(await desk.undo(upload.id)).toMatchObject({
    skipped_by_reason: [{ reason: "closed_period", invoices: 5 }],
  });
  const { entries } = await desk.app.intuit.control<{ entries: unknown[] }>("journal?operation=batch");
  expect(entries).toEqual([]);
});

test("an undo continues after its process stopped, and undoes nothing twice", async () => {
  const desk = await openDesk(200, { worker: false });
  const stopFirst = await desk.app.work();
  const upload = await desk.upload();
  const hold = await holdCalls(desk.app.intuit, { operation: "batch" });
  await desk.ask(upload.id);
  await hold.hit();
  const stopping = stopFirst();
  await desk.app.settle();
  expect(await countListeners(desk)).toBe(0);
  await hold.release();
  await stopping;
  const left = (await desk.made()).length;
  expect([left > 0, left < 200]).toEqual([true, true]);
  await desk.app.work();
  await settledUploads(desk.browser, desk.realmId);
  const { run } = await desk.preview(upload.id);
  expect(run).toMatchObject({ state: "finished", undone: { invoices: 200 }, skipped: { invoices: 0 } });
  expect(await desk.made()).toEqual([]);
});

test("when two workers take one undo, the later continues and the earlier stops writing", async () => {
  const desk = await openDesk(150, { worker: false });
  const stop = await desk.app.work();
  const upload = await desk.upload();
  await stop();
  const hold = await holdCalls(desk.app.intuit, { operation: "batch" }, CALLS_AT_ONCE);
  await desk.ask(upload.id);
  const earlier = startRun(desk.app, upload.id);
  await hold.hit(CALLS_AT_ONCE);
  // The calls of the later one wait for their turn.
  const later = startRun(desk.app, upload.id);
  await desk.app.settle();
  expect((await later).state).toBe("waiting");
  await hold.release();
  expect((await earlier).error).toBeInstanceOf(LeaseLost);
  await finishRun(desk.app, upload.id, desk);
  const status = await desk.preview(upload.id);
  expect(status.run).toMatchObject({ undone: { invoices: 150 }, skipped: { invoices: 0 } });
  expect(await desk.made()).toEqual([]);
});

test("what is paid while another worker's call is in progress is reported as undone by that call, not as left", async () => {
  const desk = await openDesk(3, { worker: false });
  const stop = await desk.app.work();
  const upload = await desk.upload();
  await stop();
  const hold = await holdCalls(desk.app.intuit, { operation: "batch" });
  await desk.ask(upload.id);
  const earlier = startRun(desk.app, upload.id);
  await hold.hit();
  const [paid] = await desk.made();
  if (paid) await pay(desk, paid, { keepToken: true });
  expect((await startRun(desk.app, upload.id)).state).toBe("waiting");
  await hold.release();
  expect((await earlier).error).toBeInstanceOf(LeaseLost);
  await finishRun(desk.app, upload.id, desk);
  expect(await desk.made()).toEqual([]);
  expect((await desk.preview(upload.id)).run).toMatchObject({ undone: { invoices: 3 }, left: [] });
});

test.each(["delete", "void"] as const)(
  "what others void or delete before an undo reaches it is reported as theirs (%s)",
  async (action) => {
    const desk = await openDesk(3, { worker: false });
    const stop = await desk.app.work();
    const upload = await desk.upload();
    await stop();
    await desk.ask(upload.id, action);
    const [voided, deleted] = await desk.made();
    if (!voided || !deleted) throw new Error("Too few invoices.");
    await act(desk, voided, "void");
    await act(desk, deleted, "delete");
    expect((await startRun(desk.app, upload.id)).afterMs).toBeNull();
    const { run } = await desk.preview(upload.id);
    expect(run).toMatchObject({ state: "finished", undone: { invoices: 1 } });
    expect(run?.left.map(({ rows, reason }) => [rows, reason])).toEqual([
      ["2", "voided"],
      ["3", "deleted"],
    ]);
  },
);

test("what was never sent is not reported as in doubt when QuickBooks refuses the whole undo", async () => {
  const desk = await openDesk(3, { worker: false });
  const stop = await desk.app.work();
  const upload = await desk.upload();
  await stop();
  await desk.ask(upload.id, "delete");
  await faults(desk, [{ fault: "code", code: "6190", detail: "ended", match: { operation: "batch" } }]);
  expect((await startRun(desk.app, upload.id)).afterMs).toBeNull();
  const { run } = await desk.preview(upload.id);
  expect(run).toMatchObject({ state: "stopped", undone: { invoices: 0 }, left: [] });
  expect(await desk.made()).toHaveLength(3);
});

test.each([
  ["for five minutes at a time", [{ retryAfter: { seconds: 300 }, count: 1 }]],
  ["again and again for a minute", [{ count: 3 }]],
])(
  "what is paid while QuickBooks makes an undo's call wait %s is seen before the call is made",
  async (_, [rule]) => {
    const desk = await openDesk(3, { worker: false });
    const stop = await desk.app.work();
    const upload = await desk.upload();
    await faults(desk, [{ fault: "429", match: { operation: "batch" }, ...rule }]);
    const undo = desk.undo(upload.id);
    await desk.app.settle();
    expect(await countUndoing(desk)).toBe(3);
    const [paid] = await desk.made();
    if (paid) await pay(desk, paid, { keepToken: true });
    const run = await undo;
    await stop();
    expect(run).toMatchObject({ state: "finished", undone: { invoices: 2 } });
    expect(run.left.map(({ reason }) => reason)).toEqual(["paid"]);
    expect(await desk.made()).toHaveLength(1);
  },
);

test("what QuickBooks never answers is left in doubt after some hours, and the rest of the upload is undone first", async () => {
  const clock = steppedClock();
  const desk = await openDesk(80, { worker: false, clock });
  const stop = await desk.app.work();
  const upload = await desk.upload();
  await stop();
  await faults(desk, [
    { fault: "500", match: { operation: "batch" }, count: 1 },
    { fault: "500", match: { operation: "invoice.delete" } },
  ]);
  await desk.ask(upload.id);
  const waitedMs = await finishRun(desk.app, upload.id, { clock });
  expect(waitedMs).toBeGreaterThan(4 * HOUR_MS);
  expect(waitedMs).toBeLessThan(10 * HOUR_MS);
  const { run } = await desk.preview(upload.id);
  const inDoubt = run?.skipped.invoices ?? 0;
  expect(run).toMatchObject({
    state: "finished",
    undone: { invoices: 80 - inDoubt },
    skipped_by_reason: [{ reason: "in_doubt", invoices: inDoubt }],
  });
  expect([5, 25]).toContain(inDoubt);
  expect(await desk.made()).toHaveLength(inDoubt);
  await noFaults(desk);
  await desk.app.work();
  expect(await desk.undo(upload.id)).toMatchObject({ state: "finished", undone: { invoices: inDoubt } });
  expect(await desk.made()).toEqual([]);
});

test("an upload being posted cannot be undone; an undo in progress cannot be started twice or changed into another", async () => {
  const desk = await openDesk(30);
  const posting = await holdCalls(desk.app.intuit, { operation: "invoice.create" });
  const query = { realm_id: desk.realmId };
  const file = { name: "a.xlsx", bytes: await invoiceWorkbook([invoiceLine("W-1")]) };
  const accepted = (await desk.browser.call(postInvoices, { query, file })).json() as { id: string };
  const params = { upload_id: accepted.id };
  await posting.hit();
  const early = await desk.ask(accepted.id);
  expect([early.status, early.json()]).toEqual([
    409,
    expect.objectContaining({
      code: "upload_in_process",
      detail: "This upload is still in progress. You can undo it when it's finished.",
    }),
  ]);
  expect((await desk.browser.call(previewUndo, { query, params })).status).toBe(409);
  await posting.release();
  await settledUploads(desk.browser, desk.realmId);

  const undoing = await holdCalls(desk.app.intuit, { operation: "invoice.delete" });
  const first = (await desk.ask(accepted.id)).json() as UndoStatus;
  await undoing.hit();
  const twice = (await desk.ask(accepted.id)).json() as UndoStatus;
  expect(twice.run?.id).toBe(first.run?.id);
  const other = await desk.ask(accepted.id, "void");
  expect([other.status, other.json()]).toEqual([409, expect.objectContaining({ code: "undo_in_process" })]);
  expect((await desk.preview(accepted.id)).preview).toBeNull();
  await undoing.release();
  await settledUploads(desk.browser, desk.realmId);
  expect((await desk.preview(accepted.id)).run).toMatchObject({ sentence: "1 invoice was deleted." });
});

test("another company's upload cannot be viewed or undone by any user", async () => {
  const desk = await openDesk(2);
  const params = { upload_id: (await desk.upload()).id };
  const other = await desk.app.owner(BAY, "platform@dockside.example");
  const statuses = await Promise.all(
    [BAY, desk.realmId].flatMap((realmId) => [
      other.call(previewUndo, { params, query: { realm_id: realmId } }),
      other.call(startUndo, { params, query: { realm_id: realmId }, json: { action: "delete" } }),
    ]),
  );
  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 403, 403]);
  expect(await desk.made()).toHaveLength(2);
});

test("if the books cannot be read the preview says why, and what to do", async () => {
  const desk = await openDesk(3);
  const params = { upload_id: (await desk.upload()).id };
  const look = () => desk.browser.call(previewUndo, { params, query: { realm_id: desk.realmId } });
  await faults(desk, [{ fault: "500", match: { operation: "query" } }]);
  const busy = await look();
  expect([busy.status, busy.headers.get("retry-after"), busy.json()]).toEqual([
    503,
    "60",
    expect.objectContaining({
      code: "books_unreadable",
      detail: "QuickBooks couldn't be read just now. Try again in a minute.",
    }),
  ]);
  await noFaults(desk);
  await desk.app.intuit.control("tokens/revoke", { realmId: desk.realmId });
  const revoked = await look();
  expect([revoked.status, revoked.json()]).toEqual([
    409,
    expect.objectContaining({
      code: "reconnect_needed",
      detail: "Reconnect this company to QuickBooks first, so that its invoices can be read.",
    }),
  ]);
});

test.each(["delete", "void"] as const)(
  "an invoice that QuickBooks does not undo because of an inactive name is reported as left, although the code is that of a deleted one (%s)",
  async (action) => {
    const desk = await openDesk(3);
    const upload = await desk.upload();
    const inactive = {
      fault: "code",
      code: "610",
      detail: "Object Not Found : Something you're trying to use has been made inactive.",
    };
    await faults(desk, [
      { ...inactive, match: { operation: "batch.item" }, count: 1 },
      { ...inactive, match: { operation: `invoice.${action}` } },
    ]);
    const run = await desk.undo(upload.id, action);
    expect(run).toMatchObject({ undone: { invoices: 2 }, skipped: { invoices: 1 } });
    expect(run.left).toEqual([
      expect.objectContaining({
        reason: "refused",
        sentence: expect.stringContaining("has been made inactive"),
      }),
    ]);
    const isUnvoided = ({ TotalAmt }: { TotalAmt: number }) => TotalAmt > 0;
    expect((await desk.made()).filter(isUnvoided)).toHaveLength(1);
    await noFaults(desk);
    expect(await desk.undo(upload.id, action)).toMatchObject({ undone: { invoices: 1 } });
    expect((await desk.made()).filter(isUnvoided)).toHaveLength(0);
  },
);

test("invoices that a QuickBooks query does not show yet are undone, not taken for deleted", async () => {
  const desk = await openDesk(3);
  const upload = await desk.upload();
  await desk.app.intuit.control("settings", { queryLagS: 86_400 }, "PATCH");
  expect(await desk.undo(upload.id)).toMatchObject({ undone: { invoices: 3 } });
  expect(await desk.made()).toHaveLength(0);
  await desk.upload();
  expect(await desk.made()).toHaveLength(3);
});
