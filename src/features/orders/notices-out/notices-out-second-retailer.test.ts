import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { changeNoticeSettings, downloadNotices } from "#features/orders/notices-out/contract.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { createShipment } from "#features/shipping/contract.ts";
import { CARTON } from "../../../../test/support/shipping.ts";
import { confirmPrices, matchAll, openThreadDesk, type ThreadDesk } from "../../../../test/support/thread.ts";

const PO = "4500077";
const CASE = new URL("../../../../test/corpus/thread/b1-850-order.edi", import.meta.url);

/** The second retailer's order, to a street that the simulated UPS knows. */
const readOrder = async () =>
  (await readFile(CASE, "utf8"))
    .replace("7 Sample Road", "12 Main Street")
    .replace("Macon*GA*31201", "Reno*NV*89506");

const shipAll = async (desk: ThreadDesk) => {
  const contents = [
    { line: "10", quantity: "12" },
    { line: "20", quantity: "8" },
    { line: "30", quantity: "1" },
  ];
  const order = (await desk.open()).find(({ po_number }) => po_number === PO);
  const cartons = [{ ...CARTON, contents }];
  const json = { po_number: PO, order_id: order?.id, cartons, key: crypto.randomUUID() };
  const reply = await desk.browser.call(createShipment, { json });
  expect(reply.status, reply.text).toBe(200);
};

/** The X12 of the order's notice of a kind, as lines. */
async function read(desk: ThreadDesk, kind: string): Promise<string[]> {
  const [notice] = (await desk.notices()).filter((each) => each.kind === kind);
  const json = { ids: [notice?.id ?? ""] };
  return Buffer.from(await desk.browser.download(downloadNotices, { json }))
    .toString()
    .split(/~\n?/);
}

const having = (lines: readonly string[], start: RegExp) => lines.filter((line) => start.test(line));

test("what a company enters about its first retailer, its UPS account and our id there, isn't used for a second one", async () => {
  const desk = await openThreadDesk({ partners: [retailer, directRetailer] });
  const json = { cut_off: "17:00", sender_id: "OURIDATFIRST" };
  expect((await desk.browser.call(changeNoticeSettings, { json })).status).toBe(200);
  await desk.add(await readOrder(), "b1.edi");
  await desk.addSamples(1);
  await shipAll(desk);
  expect((await desk.ship("80001")).status).toBe(200);
  const { labels } = await desk.history();
  expect(Object.fromEntries(labels.map((label) => [label.po_number, label.billed_to]))).toEqual({
    [PO]: null,
    "80001": "Home Improvement",
  });
  await desk.leave();
  const senders: string[] = [];
  for (const { id } of await desk.notices()) {
    const file = Buffer.from(
      await desk.browser.download(downloadNotices, { json: { ids: [id] } }),
    ).toString();
    senders.push(having(file.split(/~\n?/), /^ISA/)[0]?.split("*")[6]?.trim() ?? "");
  }
  expect(senders.toSorted()).toEqual(["OURIDATFIRST", "OURSUPPLYCO"]);
});

test("the 855, 856 and 810 have the order's vendor number, and its product ids as the order names them", async () => {
  const desk = await openThreadDesk({ partners: [retailer, directRetailer] });
  const order = (await readOrder())
    .replace("SK*700101*VN*S-3*UP*614141008018", "VC*CH-16*CB*1004118*EN*4006381333931")
    .replace("SK*700102*VN*S-4*UP*614141008025", "IN*700102*VP*S-4*UI*614141008025");
  await desk.add(order, "b1.edi");
  await shipAll(desk);
  await desk.leave();
  await matchAll(desk);
  const orderId = (await desk.list()).threads[0]?.order_id ?? "";
  await confirmPrices(desk, orderId);
  await desk.post(orderId);
  await desk.app.settle(120_000);
  await desk.leave();
  const ids = [
    "CB*1004118*VC*CH-16*EN*4006381333931",
    "IN*700102*VP*S-4*UI*614141008025",
    "SK*700103*VN*T-1*UP*614141008032",
  ];
  const shipNotice = await read(desk, "ship");
  expect(having(shipNotice, /^REF\*VR/)).toEqual(["REF*VR*88123"]);
  expect(having(shipNotice, /^LIN/).map((line) => line.split("*").slice(2).join("*"))).toEqual(ids);
  const invoice = await read(desk, "invoice");
  expect(having(invoice, /^IT1/).map((line) => line.split("*").slice(6).join("*"))).toEqual(ids);
});

test("a cancellation that the retailer asks for is confirmed with the code that it has for that, and the vendor number", async () => {
  const desk = await openThreadDesk({ partners: [retailer, directRetailer] });
  const order = await readOrder();
  await desk.add(order, "b1.edi");
  const canceled = await desk.add(order.replace("BEG*00", "BEG*01"), "b1-cancel.edi");
  expect(canceled.documents).toMatchObject([{ result: "cancelled" }]);
  await desk.leave();
  const confirmed = await read(desk, "cancel");
  expect(having(confirmed, /^REF\*VR/)).toEqual(["REF*VR*88123"]);
  const reasons = having(confirmed, /^REF\*ZZ/);
  expect(reasons).toEqual(Array.from({ length: 3 }, () => "REF*ZZ*ABN*Requested by the retailer"));
});
