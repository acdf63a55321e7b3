import { expect } from "vitest";
import * as contract from "#features/order-invoices/contract.ts";
import type { ThreadList, ThreadView } from "#features/order-invoices/contract.ts";
import { downloadNotices, listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { createShipment, voidShipment } from "#features/shipping/contract.ts";
import { startUndo } from "#features/invoices/undo/contract.ts";
import { ACME } from "./intuit.ts";
import type { Reply } from "./browser.ts";
import { BAY_SHIPPER, CARTON, openCompanyDesk, openShippingDesk, type ShippingDesk } from "./shipping.ts";

/** A desk whose retailer can be invoiced, and calls about its orders. */
export async function openThreadDesk(options: Parameters<typeof openShippingDesk>[0] = {}) {
  return toThreadDesk(await openShippingDesk({ worker: true, ...options }, VENDOR));
}

/** The same of a second company. */
export const openSecondDesk = async ({ app }: ThreadDesk) =>
  toThreadDesk(await openCompanyDesk(app, BAY_SHIPPER, VENDOR));

const VENDOR = { vendor_number: "47110" };

function toThreadDesk(desk: ShippingDesk) {
  const { browser, app } = desk;
  const list = async () => (await browser.call(contract.listThreads, {})).json() as ThreadList;
  const view = async (order_id: string) =>
    (await browser.call(contract.readThread, { query: { order_id } })).json() as ThreadView;
  /** Answers what an invoice asks, as it was read. */
  const say = (
    invoice: contract.OrderInvoice | undefined,
    said: contract.InvoiceAnswer,
    line?: string,
  ): Promise<Reply> => {
    const { id = "", about = "" } = invoice ?? {};
    return browser.call(contract.answerOrderInvoice, { json: { id, about, answer: said, line } });
  };
  const post = (...order_ids: string[]) => browser.call(contract.postOrderInvoices, { json: { order_ids } });
  const notices = async (show: "all" | "due" = "all") =>
    ((await browser.call(listNotices, { query: { show } })).json() as { notices: Notice[] }).notices;
  /** Lets the notices leave that are due, or some of them. */
  const leave = async (isLeaving: (notice: Notice) => boolean = () => true) => {
    app.clock.advance(24 * 3_600_000);
    await app.settle(0);
    await desk.signIn();
    const due = (await notices("due")).filter(isLeaving);
    await browser.call(downloadNotices, { json: { ids: due.map(({ id }) => id) } });
  };
  const answer = (number: number, functionalId: string, ...said: string[]) => {
    const set = ["ST*997*0001", `AK1*${functionalId}*${number}`, ...said];
    const group = "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060";
    const sets = [[...set, `SE*${set.length + 1}*0001`]];
    return desk.add(sampleFile({ sets, group }), `997-${functionalId}-${number}.edi`);
  };
  /** The retailer's 997 about each notice that left. */
  const accept = async () => {
    for (const { control_number: number } of await notices())
      if (number !== null) await answer(number, "SH", "AK2*856*0001", "AK5*A", "AK9*A*1*1*1");
  };
  /** The retailer's 997 about the 810s that left and that it has not answered. @returns their ids */
  const answer810 = async (verdict: "A" | "R"): Promise<string[]> => {
    const sent = (await notices()).filter(
      ({ kind, state }) => kind === "invoice" && (state === "sent" || state === "overdue"),
    );
    const said = verdict === "A" ? ["AK5*A", "AK9*A*1*1*1"] : ["AK5*R*5", "AK9*R*1*1*0"];
    for (const { control_number: number } of sent) await answer(number ?? 0, "IN", "AK2*810*0001", ...said);
    return sent.map(({ id }) => id);
  };
  /** Searches of QuickBooks for invoices of orders, and reads of its items, so far. */
  const searches = async () => {
    const path = "journal?operation=query&limit=5000";
    const { entries } = await app.intuit.control<{ entries: { query: object }[] }>(path);
    return entries.filter(({ query }) => /from Item|CustomerRef in/i.test(JSON.stringify(query))).length;
  };
  return { ...desk, list, view, say, post, notices, leave, answer, accept, answer810, searches };
}

export type ThreadDesk = Awaited<ReturnType<typeof openThreadDesk>>;

/** Chooses the first entry of the books for each name that is asked about, or for some of them. */
export async function matchAll(
  desk: ThreadDesk,
  isMatched: (question: ThreadList["questions"][number]) => boolean = () => true,
): Promise<void> {
  for (const { partner, kind, written } of (await desk.list()).questions.filter(isMatched)) {
    const q = kind === "customer" ? "Cool Cars" : "";
    const found = await desk.browser.call(contract.searchMatches, { params: { kind }, query: { q } });
    const [entry] = (found.json() as { entries: { id: string }[] }).entries;
    const json = { partner, kind, written, target_id: entry?.id ?? "" };
    expect((await desk.browser.call(contract.chooseMatch, { json })).status).toBe(200);
  }
}

/** Bills each line at the order's price where the books have a higher one. */
export async function confirmPrices(desk: ThreadDesk, orderId: string): Promise<void> {
  for (const invoice of (await desk.view(orderId)).invoices)
    for (const { line } of invoice.lines.filter(({ asks_price }) => asks_price))
      expect((await desk.say(invoice, "order_price", line)).status).toBe(200);
}

/** Ships pieces of the first sample order in one carton. */
export async function shipPieces(desk: ThreadDesk, ...pieces: [line: string, quantity: string][]) {
  const contents = pieces.map(([line, quantity]) => ({ line, quantity }));
  const json = { po_number: "80001", cartons: [{ ...CARTON, contents }], key: crypto.randomUUID() };
  const reply = await desk.browser.call(createShipment, { json });
  expect(reply.status, reply.text).toBe(200);
}

/** Ships the first sample order in two parts of equal contents. */
export async function shipHalves(desk: ThreadDesk): Promise<void> {
  for (const _ of [1, 2]) await shipPieces(desk, ["1", "1"], ["2", "5"]);
}

/** Lets what was shipped leave, and answers all questions but those about the books. @returns the order's id */
export async function prepareShipped(desk: ThreadDesk): Promise<string> {
  await desk.leave();
  await matchAll(desk);
  const orderId = (await desk.list()).threads[0]?.order_id ?? "";
  await confirmPrices(desk, orderId);
  return orderId;
}

/** Ships the first sample order, lets the retailer accept its ship notice, and answers what its invoice asks. @returns its id */
export async function prepareSample(desk: ThreadDesk): Promise<string> {
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  await desk.leave();
  await desk.accept();
  await matchAll(desk);
  const orderId = (await desk.list()).threads[0]?.order_id ?? "";
  await confirmPrices(desk, orderId);
  return orderId;
}

/** Bills the first sample order, whose package UPS never scans. @returns where its labels are voided, and its upload is undone */
export async function billUnscanned(desk: ThreadDesk) {
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "2"], ["2", "10"]);
  const [label] = (await desk.history()).labels;
  const stays = { tracking: label?.tracking_numbers[0], scenario: "never_scanned" };
  await desk.app.ups.control("packages", stays, "PATCH");
  const orderId = await prepareShipped(desk);
  await desk.accept();
  const { upload_id } = (await desk.post(orderId)).json() as { upload_id: string };
  await desk.app.settle(120_000);
  const query = { po_number: "80001", shipment: label?.shipment ?? "" };
  return {
    orderId,
    voidLabels: async (status = 200) =>
      expect((await desk.browser.call(voidShipment, { query })).status, "void").toBe(status),
    undo: () =>
      desk.browser.call(startUndo, {
        query: { realm_id: ACME },
        params: { upload_id },
        json: { action: "void" },
      }),
  };
}

/** Contents of one carton of the first sample order. */
export const HALF = [
  { line: "1", quantity: "1" },
  { line: "2", quantity: "5" },
];

/** Bills the first sample order, which left in two cartons, of equal contents by default, the second of which may be voided. */
export async function billHalves(desk: ThreadDesk, halves = [HALF, HALF]) {
  await desk.addSamples(1);
  const cartons = halves.map((contents) => ({ ...CARTON, contents }));
  const json = { po_number: "80001", cartons, key: crypto.randomUUID() };
  expect((await desk.browser.call(createShipment, { json })).status).toBe(200);
  const [label] = (await desk.history()).labels;
  for (const tracking of label?.tracking_numbers ?? [])
    await desk.app.ups.control("packages", { tracking, scenario: "never_scanned" }, "PATCH");
  const orderId = await prepareShipped(desk);
  await desk.accept();
  await desk.post(orderId);
  await desk.app.settle(120_000);
  const [kept = "", voided = ""] = label?.tracking_numbers ?? [];
  const query = { po_number: "80001", shipment: label?.shipment ?? "", tracking_number: voided };
  return {
    orderId,
    kept,
    voidCarton: async () => expect((await desk.browser.call(voidShipment, { query })).status).toBe(200),
  };
}

type Edited = {
  Id: string;
  Line: { Amount: number; SalesItemLineDetail: { Qty?: number; UnitPrice?: number } }[];
};

/** An invoice in QuickBooks, as its users edit it. */
export async function openInBooks(desk: ThreadDesk, isMeant: (made: { DocNumber?: string }) => boolean) {
  const made = (await desk.app.intuit.invoices(ACME)).find(isMeant);
  const inBooks = `books/${ACME}/invoice/${made?.Id}`;
  const { Line: lines } = await desk.app.intuit.control<Edited>(inBooks);
  /** Replaces the lines of the goods, which come before the freight. */
  const correct = (change: (goods: Edited["Line"]) => Edited["Line"]) =>
    desk.app.intuit.control(inBooks, { Line: [...change(lines.slice(0, 2)), ...lines.slice(2)] });
  return { correct, lines, void: () => desk.app.intuit.control(`${inBooks}/void`, {}) };
}

/** A line of an invoice in QuickBooks with half of its pieces. */
export const halveLine = (line: Edited["Line"][number]) => ({
  ...line,
  Amount: line.Amount / 2,
  SalesItemLineDetail: {
    ...line.SalesItemLineDetail,
    Qty: (line.SalesItemLineDetail.Qty ?? 0) / 2,
  },
});

/** Dollars of the first sample order's invoices in QuickBooks. */
export const sumInBooks = async (desk: ThreadDesk) =>
  (await desk.app.intuit.invoices(ACME))
    .filter(({ DocNumber: number }) => number?.startsWith("80001"))
    .reduce((sum, { TotalAmt: total }) => sum + Number(total), 0);

/** The states of the 810s, the first one first, and why they stay here. */
export const say810s = async (desk: ThreadDesk) =>
  (await desk.notices())
    .filter(({ kind }) => kind === "invoice")
    .map(({ state, problems }) => [state, problems])
    .toReversed();

/** Answers what changed since an invoice was read. @returns the code of the refusal */
export async function refuseLate(
  desk: ThreadDesk,
  ...answer: Parameters<ThreadDesk["say"]>
): Promise<string> {
  const reply = await desk.say(...answer);
  if (reply.status !== 409) return String(reply.status);
  const { code, detail } = reply.json() as { code: string; detail: string };
  expect(detail).toBe("What this is about changed. Reload the page, and read what it is now.");
  return code;
}
