import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { listThreads, type ThreadList } from "#features/order-invoices/contract.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import { listOrderDocuments, type RetailerMessageView } from "#features/orders/notices-out/contract.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { cancelOrder } from "#features/shipping/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../../../test/support/intuit.ts";
import {
  confirmPrices,
  matchAll,
  openThreadDesk,
  prepareShipped,
  shipPieces,
  type ThreadDesk,
} from "../../../test/support/thread.ts";

const byStore = { ...directRetailer, ordersBy: "store" as const };

const readCase = (name: string) =>
  readFile(new URL(`../../../test/corpus/thread/${name}`, import.meta.url), "utf8");

const findTimes = async (desk: ThreadDesk, orderId: string) =>
  (await desk.view(orderId)).steps.flatMap(({ facts }) => facts.flatMap(({ time }) => (time ? [time] : [])));

test("TD-17 an order's head and timeline, and the list, have times by the company's clock with its zone; those of another year have the year", async () => {
  const desk = await openThreadDesk();
  await sql`update company set time_zone = 'America/Phoenix' where realm_id = ${ACME}`.execute(desk.app.db);
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  await matchAll(desk);
  await confirmPrices(desk, (await desk.list()).threads[0]?.order_id ?? "");
  const [thread] = (await desk.list()).threads;
  const id = thread?.order_id ?? "";
  const clock = /^\d{1,2}:\d\d [AP]M MST$/;
  expect(thread?.words).toMatch(/^Ship notice goes out .*\d{1,2}:\d\d [AP]M MST$/);
  const times = await findTimes(desk, id);
  // Received, packed and labeled today; the notice leaves today or tomorrow.
  expect(times.slice(0, 3)).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(clock)));
  expect((await desk.list()).last_order_time).toBe(times[0]);
  desk.app.clock.advance(400 * 24 * 3_600_000);
  await desk.browser.signIn("owner@acme.example");
  expect((await findTimes(desk, id))[0]).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M MST$/);
});

test("TD-17 an order with pieces left to ship isn't done once the part that shipped is billed and accepted", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "2"]);
  const orderId = await prepareShipped(desk);
  await desk.accept();
  await desk.post(orderId);
  await desk.app.settle(120_000);
  await desk.leave();
  expect(await desk.answer810("A")).toHaveLength(1);
  const { threads, shares } = await desk.list();
  expect(threads).toMatchObject([{ standing: "to_ship", words: "To pack, ship by Dec 1" }]);
  expect([threads[0]?.marks[1], shares.done.orders]).toEqual(["next", 0]);
  await shipPieces(desk, ["2", "10"]);
  expect((await desk.list()).threads).toMatchObject([{ words: "SKU to match" }]);
});

test("TD-17 TD-20 the list names each retailer with stored orders, the one with the last order first", async () => {
  const desk = await openThreadDesk({ partners: [retailer, directRetailer] });
  const named = async () => (await desk.list()).retailers;
  expect(await named()).toEqual(["Home Improvement"]);
  await desk.add(await readCase("b1-850-order.edi"), "b1.edi");
  expect(await named()).toEqual([directRetailer.name]);
  desk.app.clock.advance(60_000);
  await desk.addSamples(1);
  expect(await named()).toEqual(["Home Improvement", directRetailer.name]);
});

test("TD-20 a PO number for 500 stores is 500 orders, which are listed, found by number and by store, and canceled on their own", async () => {
  const desk = await openThreadDesk({ partners: [retailer, byStore] });
  const [head = "", body = ""] = (await readCase("b1-850-order.edi")).split("ST*850*0001~\n");
  const [set = "", tail = ""] = body.split("SE*19*0001~\n");
  const store = (at: number) => String(at).padStart(4, "0");
  const sets = Array.from({ length: 500 }, (_, at) => {
    const number = store(at + 1);
    const party = `N1*ST*Store ${number}*92*${number}`;
    return `ST*850*${number}~\n${set.replace("N1*ST*Casey Example", party)}SE*19*${number}~\n`;
  });
  const file = `${head}${sets.join("")}${tail.replace("GE*1*", "GE*500*")}`;
  const { documents } = await desk.add(file, "stores.edi");
  expect(documents.map(({ result }) => result)).toEqual(sets.map(() => "added"));
  const open = await desk.open();
  expect(new Set(open.map(({ packing_slip_file: slip }) => slip)).size).toBe(500);
  const find = async (query: Record<string, string>) =>
    (await desk.browser.call(listThreads, { query })).json() as ThreadList;
  expect(await find({ search: "4500077", offset: "400", limit: "200" })).toMatchObject({
    total_count: 500,
    threads: { length: 100 },
    retailers: [directRetailer.name],
  });
  expect((await find({ search: "Store 0321" })).threads).toMatchObject([{ customer_name: "Store 0321" }]);
  // A change that names no store names a few of them.
  const change = file
    .replace("GS*PO", "GS*PC")
    .replace(/ST\*850[^]*(?=GE\*)/, "ST*860*0001~\nBCH*01*DS*4500077***20261201*****20261202~\nSE*3*0001~\n")
    .replace("GE*500*", "GE*1*");
  const refused = (await desk.add(change, "860.edi")).documents[0]?.problems[0] ?? "";
  expect(refused).toContain("Stores 0001, 0002, 0003");
  expect(refused).toContain("and 490 more");
  const order_id = open.find(({ customer_name: name }) => name === "Store 0321")?.id ?? "";
  const query = { customer: byStore.id, po_number: "4500077", order_id };
  expect((await desk.browser.call(cancelOrder, { query })).status).toBe(200);
  expect((await find({ search: "4500077", show: "all" })).total_count).toBe(500);
  expect((await find({ search: "Store 0321" })).threads).toMatchObject([{ standing: "cancelled" }]);
  expect((await desk.open()).length).toBe(499);
});

const listFacts = async (desk: ThreadDesk, orderId: string, step: string) =>
  (await desk.view(orderId)).steps.find(({ name }) => name === step)?.facts.map(({ text }) => text) ?? [];

test("TD-17 OI-08 a change that isn't used is shown in its order's timeline with the reason, and in no other's", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1, 2);
  const ids = Object.fromEntries((await desk.open()).map(({ id, po_number: po }) => [po, id]));
  const change = async (...segments: string[]) => {
    const set = ["ST*860*0001", ...segments, `SE*${segments.length + 2}*0001`];
    const group = "GS*PC*RETAILER*SUPPLIER*20261126*0915*5*X*004060";
    const { documents } = await desk.add(sampleFile({ sets: [set], group }), `${segments.join(" ")}.edi`);
    return documents.map(({ result }) => result);
  };
  const head = (number: string, day: string, po = "80001", purpose = "04") =>
    `BCH*${purpose}*DS*${po}**${number}*20261126*****202611${day}`;
  const price = "POC*1*PC*2*0*EA*11.00";
  expect(await change(head("2", "28"), price)).toEqual(["waiting"]);
  expect(await change(head("1", "27"), "POC*1*PC*2*0*EA*12.00")).toEqual(["refused"]);
  expect(await change(head("1", "27", "80001", "01"))).toEqual(["refused"]);
  expect(await change(head("3", "29"), "POC*1*QD*0*0*EA*11.00")).toEqual(["refused"]);
  expect(await change(head("4", "30"), "N9*ZZ*NOTE", "MSG*Call us")).toEqual(["refused"]);
  expect(await change(head("5", "30", "80009"), price)).toEqual(["refused"]);
  expect(await listFacts(desk, ids["80001"] ?? "", "Ordered")).toEqual([
    "850 received",
    "860 not used",
    expect.stringMatching(/^This change of PO # 80001 \(number 1 of 2026-11-27\) is older than/),
    "860 not used",
    expect.stringMatching(/^This cancellation of PO # 80001 \(number 1 of 2026-11-27\) is older than/),
    "860 not used",
    'The quantity of line 1 is "0". A quantity is a number above 0.',
    "860 not used",
    expect.stringMatching(/^This change of PO # 80001 has no line/),
  ]);
  expect(await listFacts(desk, ids["80001"] ?? "", "Accepted")).toEqual([]);
  expect(await listFacts(desk, ids["80002"] ?? "", "Ordered")).toEqual(["850 received"]);
});

test("TD-15 TD-17 of an order with more messages than are shown, the newest are", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  const id = (await desk.open())[0]?.id ?? "";
  await sql`insert into order_message select realm_id, gen_random_uuid(), id, null, partner, '864', n::text, 'note',
      jsonb_build_array('Message ' || n), received_at + make_interval(mins => n)
    from retail_order cross join generate_series(1, 201) n where id = ${id}::uuid`.execute(desk.app.db);
  const said = await listFacts(desk, id, "Accepted");
  expect([said.length, said[0], said.at(-1)]).toEqual([100, "Message 102", "Message 201"]);
  const reply = await desk.browser.call(listOrderDocuments, { query: { order_id: id } });
  const { messages } = reply.json() as { messages: RetailerMessageView[] };
  expect([messages.length, messages[0]?.sentences, messages.at(-1)?.sentences]).toEqual([
    200,
    ["Message 2"],
    ["Message 201"],
  ]);
});
