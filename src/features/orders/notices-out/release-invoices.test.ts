import { sql } from "kysely";
import { expect, test } from "vitest";
import { downloadNotices } from "#features/orders/notices-out/contract.ts";
import { holdLock } from "../../../../test/support/hold-lock.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import {
  billHalves,
  billUnscanned,
  openThreadDesk,
  say810s,
  sumInBooks,
} from "../../../../test/support/thread.ts";

const VOIDED =
  "Invoice 80001: its labels were voided. Void it in QuickBooks, or undo its upload. If the goods were shipped in another way, enter this invoice in the retailer's portal.";

test("TD-14 TD-16 the 810 of an invoice whose labels are voided after their ship notice stays here, from the void on, until the invoice is undone", async () => {
  const desk = await openThreadDesk();
  const { voidLabels, undo } = await billUnscanned(desk);
  const due = async () => (await desk.notices("due")).map(({ kind }) => kind);
  expect(await due()).toEqual(["invoice"]);
  const refusal = { fault: "refusal", operation: "void", times: 1, code: "190102" };
  await desk.app.ups.control("faults", refusal);
  await voidLabels(409);
  expect(await due()).toEqual(["invoice"]);
  // UPS's answer is lost: which labels are good isn't known.
  await desk.app.ups.control("faults", { fault: "drop", operation: "void", times: 1 });
  await voidLabels(503);
  expect(await due()).toEqual([]);
  const ids = (await desk.notices()).flatMap(({ id, kind }) => (kind === "invoice" ? [id] : []));
  expect((await desk.browser.call(downloadNotices, { json: { ids } })).status).toBe(409);
  await desk.app.settle(180_000);
  await desk.leave();
  expect(await say810s(desk)).toEqual([["pending", [VOIDED]]]);
  expect((await desk.list()).threads).toMatchObject([{ words: "Invoice can't be sent" }]);
  expect((await undo()).status).toBe(202);
  await desk.app.settle(120_000);
  expect((await say810s(desk)).map(([state]) => state)).toEqual(["withdrawn"]);
  expect(await sumInBooks(desk)).toBe(0);
});

test("TD-14 the 810 of an invoice of two cartons, one of which is voided after its ship notice, leaves with its tracking number once the invoice is corrected", async () => {
  const desk = await openThreadDesk();
  const { orderId, kept, voidCarton } = await billHalves(desk);
  await voidCarton();
  await desk.leave();
  expect(await say810s(desk)).toEqual([
    [
      "pending",
      [
        "Invoice 80001: line 1 bills 2, but 1 was shipped. Correct the invoice in QuickBooks.",
        "Invoice 80001: line 2 bills 10, but 5 were shipped. Correct the invoice in QuickBooks.",
      ],
    ],
  ]);
  const made = (await desk.app.intuit.invoices(ACME)).find(({ DocNumber: number }) => number === "80001");
  const inBooks = `books/${ACME}/invoice/${made?.Id}`;
  type Line = { Amount: number; SalesItemLineDetail?: { Qty?: number } };
  const { Line: lines } = await desk.app.intuit.control<{ Line: Line[] }>(inBooks);
  const halve = ({ Amount: amount, SalesItemLineDetail: detail, ...line }: Line) => ({
    ...line,
    Amount: amount / 2,
    SalesItemLineDetail: { ...detail, Qty: (detail?.Qty ?? 0) / 2 },
  });
  const corrected = lines.map((line) => (line.SalesItemLineDetail?.Qty ? halve(line) : line));
  await desk.app.intuit.control(inBooks, { Line: corrected });
  await desk.view(orderId);
  await desk.leave();
  expect(await say810s(desk)).toEqual([["sent", []]]);
  const ids = (await desk.notices()).flatMap(({ id, kind }) => (kind === "invoice" ? [id] : []));
  const document = Buffer.from(await desk.browser.download(downloadNotices, { json: { ids } })).toString();
  expect(document).toContain(`*CN*${kept}~`);
});

test("TD-16 an undo that is requested while the 810 is being written is refused", async () => {
  const desk = await openThreadDesk();
  const { undo } = await billUnscanned(desk);
  const { app, browser } = desk;
  const ids = (await desk.notices()).flatMap(({ id, kind }) => (kind === "invoice" ? [id] : []));
  const release = await holdLock(app, (tx) => sql`lock table order_notice_counter`.execute(tx));
  const written = browser.call(downloadNotices, { json: { ids } });
  await app.settle(0);
  const undone = undo();
  await app.settle(0);
  await release();
  expect([(await written).status, (await undone).status]).toEqual([200, 409]);
  await app.settle(120_000);
  expect(await say810s(desk)).toEqual([["sent", []]]);
  expect(await sumInBooks(desk)).toBe(45);
});
