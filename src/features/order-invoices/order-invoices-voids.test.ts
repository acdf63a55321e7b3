import { expect, test } from "vitest";
import { voidShipment } from "#features/shipping/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { decide } from "../../../test/support/orders.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { hearOfChanges } from "../../../test/support/tracking.ts";
import {
  billHalves,
  billUnscanned,
  confirmPrices,
  HALF,
  halveLine,
  matchAll,
  openInBooks,
  openThreadDesk,
  say810s,
  shipPieces,
  sumInBooks,
} from "../../../test/support/thread.ts";

test("TD-08 the freight of an order is billed once, also when a shipment that waited before a posted one is voided", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "1"], ["2", "4"]);
  const [first] = (await desk.history()).labels;
  await shipPieces(desk, ["1", "1"], ["2", "6"]);
  // Only the second shipment leaves.
  const stays = { tracking: first?.tracking_numbers[0], scenario: "never_scanned" };
  await desk.app.ups.control("packages", stays, "PATCH");
  await desk.leave(({ id }) => id !== first?.notice?.id);
  await matchAll(desk);
  const orderId = (await desk.list()).threads[0]?.order_id ?? "";
  await confirmPrices(desk, orderId);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1 });
  await desk.app.settle(120_000);
  const voided = { po_number: "80001", shipment: first?.shipment ?? "" };
  expect((await desk.browser.call(voidShipment, { query: voided })).status).toBe(200);
  await shipPieces(desk, ["1", "1"], ["2", "4"]);
  await desk.leave();
  await confirmPrices(desk, orderId);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1 });
  await desk.app.settle(120_000);
  const { invoices } = await desk.view(orderId);
  expect(invoices.map(({ state }) => state)).toEqual(["posted", "posted"]);
  // 2 at 12.50, 10 at 0.75, and the freight that the order names.
  const made = (await desk.app.intuit.invoices(ACME)).filter(({ DocNumber }) =>
    invoices.some(({ number }) => number === DocNumber),
  );
  expect(made.reduce((sum, { TotalAmt: total }) => sum + Number(total), 0)).toBe(45);
});

test("TD-08 pieces whose labels were voided after they were billed are billed again only once the earlier invoice is undone", async () => {
  const desk = await openThreadDesk();
  const { orderId, voidLabels, undo } = await billUnscanned(desk);
  await voidLabels();
  expect((await desk.view(orderId)).invoices).toMatchObject([
    {
      state: "posted",
      problem: "The labels of this invoice were voided. Void it in QuickBooks, or undo its upload.",
    },
  ]);
  await shipPieces(desk, ["1", "2"], ["2", "10"]);
  await desk.leave(({ kind }) => kind === "ship");
  await confirmPrices(desk, orderId);
  expect((await desk.post(orderId)).json()).toMatchObject({
    posting: 0,
    left_out: [{ problem: expect.stringContaining("an earlier invoice bills labels that were voided") }],
  });
  const [, again] = (await desk.view(orderId)).invoices;
  expect(again).toMatchObject({ state: "draft", can_post: false, waits: ["voided"], freight: "12.50" });
  expect((await desk.list()).threads).toMatchObject([
    { words: "Invoice can't be sent", standing: "refused" },
  ]);
  const early = await desk.say(again, "credited");
  expect([early.status, early.text]).toEqual([409, expect.stringContaining("Reload the page")]);
  const undone = await undo();
  expect(undone.status, undone.text).toBe(202);
  await desk.app.settle(120_000);
  // No one has opened the order since.
  expect((await desk.list()).threads).toMatchObject([{ words: "Ready to bill" }]);
  expect((await desk.view(orderId)).invoices).toMatchObject([{ id: again?.id, state: "draft", waits: [] }]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  expect(await sumInBooks(desk)).toBe(45);
});

test("TD-08 TD-16 pieces whose labels were voided after the retailer had their 810 are billed again only once a user says that it is credited", async () => {
  const desk = await openThreadDesk();
  const { orderId, voidLabels, undo } = await billUnscanned(desk);
  await desk.leave();
  await voidLabels();
  await shipPieces(desk, ["1", "2"], ["2", "10"]);
  await desk.leave();
  await confirmPrices(desk, orderId);
  expect((await undo()).status).toBe(409);
  expect((await desk.post(orderId)).json()).toMatchObject({
    posting: 0,
    left_out: [{ problem: expect.stringContaining("Create a credit memo in QuickBooks") }],
  });
  const [earlier, again] = (await desk.view(orderId)).invoices;
  expect(earlier).toMatchObject({ problem: expect.stringContaining("Create a credit memo in QuickBooks") });
  expect(again).toMatchObject({ state: "draft", can_post: false, waits: ["credit"] });
  expect((await desk.say(again, "credited")).status).toBe(200);
  expect((await desk.view(orderId)).invoices[1]).toMatchObject({ waits: [], can_post: true });
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  expect(await sumInBooks(desk)).toBe(90);
  await desk.accept();
  await desk.leave();
  expect(await say810s(desk)).toEqual([
    ["overdue", []],
    ["sent", []],
  ]);
});

test("TD-08 TD-16 after one carton of a billed shipment was voided, its pieces are billed again, and the freight is not; both 810s leave", async () => {
  const desk = await openThreadDesk();
  const { orderId, voidCarton } = await billHalves(desk);
  await desk.leave();
  await voidCarton();
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  await desk.leave();
  await confirmPrices(desk, orderId);
  const [, again] = (await desk.view(orderId)).invoices;
  expect(again).toMatchObject({ waits: ["credit"], freight: "0.00", total: "16.25" });
  expect((await desk.say(again, "credited")).status).toBe(200);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  expect(await sumInBooks(desk)).toBe(61.25);
  await desk.accept();
  await desk.leave();
  expect(await say810s(desk)).toEqual([
    ["overdue", []],
    ["sent", []],
  ]);
});

/** Bills an order in two cartons, voids one, and ships what was in it again; QuickBooks reports changes. */
async function reshipCarton(cartons = [HALF, HALF]) {
  const desk = await openThreadDesk();
  await hearOfChanges(desk.app);
  const { orderId, voidCarton } = await billHalves(desk, cartons);
  await voidCarton();
  const voided = cartons[1] ?? [];
  await shipPieces(desk, ...voided.map(({ line, quantity }): [string, string] => [line, quantity]));
  await desk.leave(({ kind }) => kind === "ship");
  await desk.accept();
  await confirmPrices(desk, orderId);
  const { correct } = await openInBooks(desk, ({ DocNumber: number }) => number === "80001");
  return { desk, orderId, correct };
}

/** The rest is billed, and each 810 agrees with its labels. */
async function expectBilled({
  desk,
  orderId,
}: Pick<Awaited<ReturnType<typeof reshipCarton>>, "desk" | "orderId">) {
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
  await desk.app.settle(120_000);
  expect(await sumInBooks(desk)).toBe(45);
  await desk.leave();
  expect(await say810s(desk)).toEqual([
    ["sent", []],
    ["sent", []],
  ]);
  expect((await desk.view(orderId)).invoices).toMatchObject([
    { state: "posted", problem: "" },
    { state: "posted", problem: "" },
  ]);
}

test("TD-08 TD-16 a shipment waits for an earlier invoice of voided labels until a user has corrected that in QuickBooks, whether anyone opens the order or not", async () => {
  const { desk, orderId, correct } = await reshipCarton();
  const stands = async () => {
    await desk.app.settle(300_000);
    return (await desk.list()).threads[0]?.words;
  };
  expect((await desk.view(orderId)).invoices[1]).toMatchObject({ waits: ["voided"] });
  // Not what was voided: it still bills too much.
  await correct((goods) => goods.map((line, at) => (at === 0 ? halveLine(line) : line)));
  expect(await stands()).toBe("Invoice can't be sent");
  expect((await desk.view(orderId)).invoices[1]).toMatchObject({ waits: ["voided"] });
  await correct((goods) => goods.map(halveLine));
  expect(await stands()).toBe("Ready to bill");
  await expectBilled({ desk, orderId });
});

test("TD-08 TD-16 an invoice that was corrected after a carton was voided bills what it bills, also while its order is asked about, and whatever the retailer says of its 810", async () => {
  const { desk, orderId, correct } = await reshipCarton();
  await correct((goods) => goods.map(halveLine));
  const stands = async () =>
    (await desk.view(orderId)).invoices.map(({ problem, waits }) => [problem, ...waits]);
  expect(await stands()).toEqual([[""], [""]]);
  const tell = (type: string, group: string, ...segments: string[]) =>
    desk.add(
      sampleFile({
        sets: [[`ST*${type}*0001`, ...segments, `SE*${segments.length + 2}*0001`]],
        group: `GS*${group}*RETAILER*SUPPLIER*20261126*0915*5*X*004060`,
      }),
    );
  await tell("860", "PC", "BCH*04*DS*80001***20261126", "POC*1*PC*2*0*EA*11.00");
  expect(await stands()).toEqual([[""], ["", "order_waits"]]);
  expect((await decide(desk.browser, orderId, "keep")).status).toBe(200);
  await desk.leave();
  const [sent] = (await desk.notices()).filter(({ kind }) => kind === "invoice");
  await desk.answer(sent?.control_number ?? 0, "IN", "AK2*810*0001", "AK5*E*5", "AK9*E*1*1*1");
  expect(await say810s(desk)).toEqual([
    ["accepted", expect.arrayContaining(["The retailer accepted it with errors."])],
  ]);
  expect(await stands()).toEqual([[""], [""]]);
  await tell("824", "AG", "BGN*00*1*20261206", "OTI*TR*IV*80001*******810", "TED*024*Not known");
  expect(await say810s(desk)).toEqual([["rejected", expect.anything()]]);
  expect(await stands()).toEqual([[""], [""]]);
});

test("TD-08 TD-16 an invoice whose first line was deleted in QuickBooks, since its carton was voided, bills the other line", async () => {
  const { desk, orderId, correct } = await reshipCarton([
    [{ line: "2", quantity: "10" }],
    [{ line: "1", quantity: "2" }],
  ]);
  await correct((goods) => goods.slice(1));
  expect((await desk.view(orderId)).invoices[1]).toMatchObject({ waits: [] });
  await expectBilled({ desk, orderId });
});
