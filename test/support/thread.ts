import { expect } from "vitest";
import * as contract from "#features/order-invoices/contract.ts";
import type { ThreadList, ThreadView } from "#features/order-invoices/contract.ts";
import { downloadNotices, listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { openShippingDesk } from "./shipping.ts";

/** A desk whose retailer can be invoiced, and calls about its orders. */
export async function openThreadDesk(options: Parameters<typeof openShippingDesk>[0] = {}) {
  const desk = await openShippingDesk({ worker: true, ...options }, { vendor_number: "47110" });
  const { browser, app } = desk;
  const list = async () => (await browser.call(contract.listThreads, {})).json() as ThreadList;
  const view = async (order_id: string) =>
    (await browser.call(contract.readThread, { query: { order_id } })).json() as ThreadView;
  const post = (...order_ids: string[]) => browser.call(contract.postOrderInvoices, { json: { order_ids } });
  /** Lets the ship notices leave, or some of them. */
  const leave = async (isLeaving: (notice: Notice) => boolean = () => true) => {
    app.clock.advance(24 * 3_600_000);
    await app.settle(0);
    await browser.signIn("owner@acme.example");
    const { notices } = (await browser.call(listNotices, { query: { show: "due" } })).json() as {
      notices: Notice[];
    };
    await browser.call(downloadNotices, { json: { ids: notices.filter(isLeaving).map(({ id }) => id) } });
  };
  /** The retailer's 997 about each notice that left. */
  const accept = async () => {
    const { notices } = (await browser.call(listNotices, { query: { show: "all" } })).json() as {
      notices: Notice[];
    };
    const sets = notices.flatMap(({ control_number: number }) =>
      number === null
        ? []
        : [["ST*997*0001", `AK1*SH*${number}`, "AK2*856*0001", "AK5*A", "AK9*A*1*1*1", "SE*6*0001"]],
    );
    for (const set of sets)
      await desk.add(
        sampleFile({ sets: [set], group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060" }),
        `997-${set[1]}.edi`,
      );
  };
  return { ...desk, list, view, post, leave, accept };
}

export type ThreadDesk = Awaited<ReturnType<typeof openThreadDesk>>;

/** Chooses the first entry of the books for each name that is asked about. */
export async function matchAll(desk: ThreadDesk): Promise<void> {
  for (const { partner, kind, written } of (await desk.list()).questions) {
    const q = kind === "customer" ? "Cool Cars" : "";
    const found = await desk.browser.call(contract.searchMatches, { params: { kind }, query: { q } });
    const [entry] = (found.json() as { entries: { id: string }[] }).entries;
    const json = { partner, kind, written, target_id: entry?.id ?? "" };
    expect((await desk.browser.call(contract.chooseMatch, { json })).status).toBe(200);
  }
}

/** Bills each line at the order's price where the books have a higher one. */
export async function confirmPrices(desk: ThreadDesk, orderId: string): Promise<void> {
  for (const { id, lines } of (await desk.view(orderId)).invoices)
    for (const { line } of lines.filter(({ asks_price }) => asks_price)) {
      const json = { id, answer: "order_price" as const, line };
      expect((await desk.browser.call(contract.answerOrderInvoice, { json })).status).toBe(200);
    }
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
