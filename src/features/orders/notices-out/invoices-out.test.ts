import { expect, test } from "vitest";
import {
  findOrderByNumber,
  planInvoiceDocument,
  withdrawInvoiceDocument,
  type BookedInvoice,
} from "#features/orders/index.ts";
import { downloadNotices, listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { readPromised } from "#features/orders/promises.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { openShippingDesk } from "../../../../test/support/shipping.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";

/** The invoice of sample order 1: 2 × 12.50 + 10 × .75, and the freight that the order allows. */
const BOOKED: BookedInvoice = {
  id: "145",
  number: "100451",
  date: "2026-11-27",
  dueDate: "2026-12-27",
  total: "45.00",
  lines: [
    { line: "1", quantity: "2", unitPrice: "12.50", amount: "25.00" },
    { line: "2", quantity: "10", unitPrice: ".75", amount: "7.50" },
  ],
  freight: "12.50",
  allowance: "0.00",
  tax: "0.00",
};

/** A desk with one labelled order, and calls about its documents. */
async function openInvoiceDesk() {
  const clock = steppedClock();
  const desk = await openShippingDesk({ clock, mail: true, worker: true }, { vendor_number: "47110" });
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  const { orders } = desk.app.application;
  const plan = (invoice: BookedInvoice) =>
    desk.app.db.transaction().execute(async (tx) => {
      const order = await findOrderByNumber(tx, ACME, { partner: "retailer", poNumber: "80001" });
      if (!order) throw new Error("no order");
      return planInvoiceDocument(orders, tx, order, { shipmentId: null, invoice });
    });
  const list = async (show: "all" | "due" = "all") =>
    ((await desk.browser.call(listNotices, { query: { show } })).json() as { notices: Notice[] }).notices;
  const find = async (kind: Notice["kind"]) => (await list()).find((one) => one.kind === kind);
  const download = (...ids: (string | undefined)[]) => desk.browser.call(downloadNotices, { json: { ids } });
  /** Moves the clock past the cut-off, downloads the ship notice and takes the retailer's answer to it in. */
  const shipAndAccept = async () => {
    clock.advance(24 * 3_600_000);
    await desk.browser.signIn("owner@acme.example");
    const notice = await find("ship");
    expect((await download(notice?.id)).status).toBe(200);
    const { control_number: number } = (await find("ship")) ?? {};
    return desk.add(acknowledge(`SH*${number}`, "856", "A"));
  };
  return { ...desk, clock, plan, list, find, download, shipAndAccept };
}

/** The retailer's 997 about a group with one set. */
const acknowledge = (group: string, set: string, status: string, errors: readonly string[] = []) => {
  const segments = ["ST*997*0001", `AK1*${group}`, `AK2*${set}*0001`, ...errors, `AK5*${status}`];
  const counts = `AK9*${status}*1*1*${status === "A" ? 1 : 0}`;
  return sampleFile({
    sets: [[...segments, counts, `SE*${segments.length + 2}*0001`]],
    group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
  });
};

test("TD-13 an 810 leaves once, after its ship notice is accepted, with a control number of its own", async () => {
  const desk = await openInvoiceDesk();
  const planned = await desk.plan(BOOKED);
  expect(await desk.find("invoice")).toMatchObject({
    id: planned?.id,
    state: "pending",
    is_due: false,
    problems: [],
  });
  const early = await desk.download(planned?.id);
  expect([early.status, early.text]).toEqual([409, expect.stringContaining("waits for its ship notice")]);
  await desk.shipAndAccept();
  expect((await desk.list("due")).map(({ id }) => id)).toEqual([planned?.id]);
  // The same invoice again is the same document.
  expect(await desk.plan(BOOKED)).toEqual(planned);
  const file = await desk.download(planned?.id);
  const sent = await desk.find("invoice");
  expect(sent).toMatchObject({ state: "sent", control_number: expect.any(Number) as number });
  expect(file.text).toContain(`\nGS*IN*SUPPLIER*RETAILER*`);
  for (const segment of [
    "BIG*20261127*100451*20261126*80001***PR~",
    "REF*IA*47110~",
    "N1*RE*Acme Tools*92*47110~",
    "IT1*2*10*EA*.75**SK*1001235*VN*W-3~",
    "TDS*4500~",
    "SAC*C*D240***1250*******06***Freight~",
    "CTT*2*12~",
    `GE*1*${sent?.control_number}~`,
  ])
    expect(file.text).toContain(`${segment}\n`);
  expect((await desk.download(planned?.id)).text).toBe(file.text);
  const { journal } = desk.app.application.orders;
  expect((await readPromised(journal)).notices).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        about: "invoice",
        po: "80001",
        shipment: "100451 1",
        control_number: sent?.control_number,
      }),
    ]),
  );
  const isKnown = await withdrawInvoiceDocument(
    desk.app.db,
    { realmId: ACME, invoiceId: "145" },
    desk.clock.now(),
  );
  expect([isKnown, (await desk.find("invoice"))?.state]).toEqual([true, "sent"]);
});

test("TD-14 an 810 that differs from its order or ship notice stays here with the reason, until the invoice is corrected", async () => {
  const desk = await openInvoiceDesk();
  const wrong = {
    ...BOOKED,
    total: "44.00",
    lines: [{ ...BOOKED.lines[0]!, quantity: "3" }, BOOKED.lines[1]!],
  };
  const planned = await desk.plan(wrong);
  await desk.shipAndAccept();
  const waiting = await desk.find("invoice");
  expect(waiting).toMatchObject({ id: planned?.id, state: "pending", is_due: false, control_number: null });
  expect(waiting?.problems).toEqual([
    "Invoice 100451: line 1 bills 3, but 2 were shipped. Correct the invoice in QuickBooks.",
    "Invoice 100451: line 1 would be billed 3 times in all, but 2 were ordered.",
    "Invoice 100451: line 1 has the amount 25.00, but 3 × 12.50 is 37.50.",
    "Invoice 100451: its total is 44.00, but its lines, freight, tax and allowance make 45.00.",
  ]);
  expect((await desk.download(planned?.id)).status).toBe(409);
  expect(await desk.plan(BOOKED)).toEqual(planned);
  expect(await desk.find("invoice")).toMatchObject({ is_due: true, problems: [] });
});
