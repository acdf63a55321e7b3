import { sql } from "kysely";
import { expect, test } from "vitest";
import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import { cancelRun } from "#features/health/contract.ts";
import { UNDO_KINDS } from "#features/invoices/runs.ts";
import { act, edit, newest, openDesk, pay, type Desk } from "#features/invoices/undo/fixtures/open-desk.ts";
import { backUpApp } from "../../../../test/support/older-backup.ts";
import { BAY } from "../../../../test/support/intuit.ts";

test("of 300 posted, 10 paid and 5 edited, an undo names the first to remove, removes 285, a second one none, and the file posts 285 again", async () => {
  const desk = await openDesk(300);
  const upload = await desk.upload();
  const posted = await desk.made();
  expect(posted).toHaveLength(300);
  for (const invoice of posted.slice(0, 10)) await pay(desk, invoice);
  for (const invoice of posted.slice(100, 105)) await edit(desk, invoice);

  const { preview } = await desk.preview(upload.id);
  expect(preview).toMatchObject({ to_undo: { invoices: 285 }, skipped: { invoices: 15 } });
  expect(preview?.skipped_by_reason).toEqual([
    { reason: "paid", invoices: 10, amount: expect.stringMatching(/^10\d\.\d\d$/) },
    { reason: "edited", invoices: 5, amount: expect.stringMatching(/^5\d\.\d\d$/) },
  ]);
  // The first ten are paid.
  expect(preview?.first_to_undo.map((invoice) => invoice.qbo_doc_number)).toEqual(
    posted.slice(10, 15).map(({ DocNumber }) => DocNumber),
  );
  expect(await desk.made()).toHaveLength(300);

  const run = await desk.undo(upload.id);
  expect(run).toMatchObject({
    action: "delete",
    state: "finished",
    requested_by: "owner@acme.example",
    sentence: "285 invoices were deleted, and 15 invoices were kept.",
    undone: preview?.to_undo,
    skipped: preview?.skipped,
  });
  expect(run.left).toEqual(preview?.left);
  const kept = await desk.made();
  expect(kept.map(({ Id }) => Id)).toEqual([
    ...posted.slice(0, 10).map(({ Id }) => Id),
    ...posted.slice(100, 105).map(({ Id }) => Id),
  ]);
  const shown = await newest(desk);
  expect(shown?.counts).toEqual({ total: 300, completed: 15, problems: 0, open: 0, undone: 285 });
  expect(shown?.results).toContainEqual({
    status: 7,
    rows: "12-101",
    invoices: 90,
    message: expect.stringMatching(/^Undone: 90 invoices were deleted in QuickBooks on \w+ \d+, \d{4}\.$/),
  });

  const again = await desk.undo(upload.id);
  expect(again).toMatchObject({
    sentence: "No invoices were changed: 15 invoices were kept.",
    undone: { invoices: 0, amount: "0.00" },
    skipped: { invoices: 15 },
  });
  expect(await desk.made()).toEqual(kept);

  const second = await desk.upload();
  expect(second.counts).toEqual({ total: 300, completed: 285, skipped: 15, problems: 0, open: 0 });
  const now = await desk.made();
  expect(now).toHaveLength(300);
  const old = new Set(posted.map(({ Id }) => Id));
  expect(now.filter(({ Id }) => !old.has(Id))).toHaveLength(285);
  expect(new Set(now.map(({ DocNumber }) => DocNumber)).size).toBe(300);
});

test("voided invoices stay with nothing to pay, the file creates new ones, and what others deleted is reported", async () => {
  const desk = await openDesk(60, { realmId: BAY, email: "platform@dockside.example", prefix: "" });
  const upload = await desk.upload();
  const posted = await desk.made();
  const [gone, voided] = [posted[3], posted[7]];
  if (!gone || !voided) throw new Error("Too few invoices.");
  await act(desk, gone, "delete");
  await act(desk, voided, "void");

  const run = await desk.undo(upload.id, "void");
  expect(run).toMatchObject({
    action: "void",
    sentence: "58 invoices were voided, and 2 invoices were kept.",
    undone: { invoices: 58 },
    left: [
      {
        rows: "5",
        reason: "deleted",
        sentence: expect.stringContaining("was already deleted in QuickBooks"),
      },
      { rows: "9", reason: "voided", sentence: expect.stringContaining("was already voided in QuickBooks") },
    ],
  });
  expect((await newest(desk))?.counts).toMatchObject({ completed: 0, undone: 60 });
  const left = await desk.made();
  expect(left).toHaveLength(59);
  expect(left.every(({ TotalAmt }) => TotalAmt === 0)).toBe(true);

  const nothing = await desk.undo(upload.id, "delete");
  expect(nothing).toMatchObject({
    state: "finished",
    sentence: "No invoices were changed: everything this upload posted is undone already.",
  });
  expect(await desk.made()).toEqual(left);

  expect((await desk.upload()).counts).toMatchObject({ completed: 60, problems: 0 });
  expect(await desk.made()).toHaveLength(119);
});

test("an undo of an upload with unresolved invoices says so, not that nothing is in the books", async () => {
  const desk = await openDesk(3);
  const upload = await desk.upload();
  expect(await desk.made()).toHaveLength(3);
  await sql`update write set state = 'unresolved', vendor_id = null, answer = null,
    cause = '{"code": "in_doubt", "params": {}, "tid": null}'`.execute(desk.app.db);
  const { preview } = await desk.preview(upload.id);
  expect(preview).toMatchObject({
    to_undo: { invoices: 0 },
    skipped_by_reason: [{ reason: "unresolved", invoices: 3 }],
  });
  expect(await desk.undo(upload.id)).toMatchObject({
    state: "finished",
    sentence:
      "No invoices were changed: none of this upload is known to be in QuickBooks. For 3 invoices, we don't know whether they were stored. Look for them in QuickBooks.",
  });
  expect(await desk.made()).toHaveLength(3);
});

test.each(["delete", "void"] as const)(
  "an older backup repeats no undo (%s) that an operator canceled: it notes what is gone and leaves the rest",
  async (action) => {
    const desk = await openDesk(60);
    const upload = await desk.upload();
    const putBack = await backUpApp(desk.app);
    // The first batch is done; no later call is answered.
    const match = { operation: "batch" };
    await desk.app.intuit.control("faults", [
      { fault: "latency", match, ms: 1, count: 1 },
      { fault: "503", match },
    ]);
    expect((await desk.ask(upload.id, action)).status).toBe(202);
    await desk.app.settle();
    const before = (await desk.made()).filter(({ TotalAmt }) => TotalAmt > 0);
    const [undone, left] = [60 - before.length, before.length];
    expect([undone > 0, left > 0]).toEqual([true, true]);
    await cancelUndo(desk);
    expect((await desk.preview(upload.id)).run).toMatchObject({
      state: "stopped",
      undone: { invoices: undone },
    });
    await desk.app.intuit.control("faults", undefined, "DELETE");

    await putBack();
    await desk.browser.signIn("owner@acme.example");
    await desk.app.settle(600_000);
    expect((await desk.made()).filter(({ TotalAmt }) => TotalAmt > 0)).toEqual(before);
    expect(await desk.preview(upload.id)).toMatchObject({
      run: { state: "finished", undone: { invoices: undone }, skipped: { invoices: 0 } },
      preview: { to_undo: { invoices: left } },
    });
    expect((await desk.undo(upload.id, action)).undone.invoices).toBe(left);
  },
);

test("a preview asks for several invoices at once that a query doesn't show, such as deleted ones", async () => {
  const desk = await openDesk(40);
  const upload = await desk.upload();
  for (const invoice of await desk.made()) await act(desk, invoice, "delete");
  const match = { operation: "invoice.read" };
  await desk.app.intuit.control("faults", [{ fault: "latency", match, ms: 1_000 }]);
  const before = desk.clock.now().getTime();
  const { preview } = await desk.preview(upload.id);
  expect(preview).toMatchObject({ to_undo: { invoices: 0 }, skipped: { invoices: 40 } });
  // One after the other they take 40 seconds, and the page waits for 30.
  expect(desk.clock.now().getTime() - before).toBeLessThan(10_000);
});

/** An operator cancels the undo that is under way. */
async function cancelUndo({ app, realmId }: Desk): Promise<void> {
  const operator = app.browser();
  await operator.signIn("platform@dockside.example");
  const reply = await operator.call(readList, { params: { list: "runs" }, query: { limit: "200" } });
  const { rows } = reply.json() as { rows: ListRow<"runs">[] };
  const run = rows.find(({ kind }) => UNDO_KINDS.includes(kind));
  const json = { realm_id: realmId, id: run?.key ?? "", reason: "They asked us to" };
  expect((await operator.call(cancelRun, { json })).status).toBe(200);
  await app.settle();
}
