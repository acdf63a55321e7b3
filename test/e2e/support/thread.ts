import { changeSettings } from "#features/companies/contract.ts";
import {
  chooseMatch,
  listThreads,
  searchMatches,
  type ThreadList,
} from "#features/order-invoices/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import {
  cancelOrder,
  changeCarrierSettings,
  listOpenOrders,
  type OpenOrders,
} from "#features/shipping/contract.ts";
import {
  changeNoticeSettings,
  downloadNotices,
  listNotices,
  readNoticeSettings,
  type Notice,
} from "#features/orders/notices-out/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { systemClock } from "#platform/clock.ts";
import type { Browser } from "../../support/browser.ts";
import { ACME } from "../../support/intuit.ts";
import type { Product } from "../../support/run-product.ts";
import { CARRIER_SETTINGS } from "../../support/shipping.ts";
import { expect } from "../product.ts";
import { connectUps, signInAdmin } from "./orders.ts";
import { grantTracking } from "./services.ts";

/** A company that follows packages, files proofs and can invoice its retailer, without the demo's own orders. @returns its admin */
export async function openThreadDesk(product: Product): Promise<Browser> {
  await grantTracking(product);
  await connectUps(product, CARRIER_SETTINGS.ship_from);
  const admin = await signInAdmin(product);
  const json = { ...CARRIER_SETTINGS, vendor_number: "60012345" };
  expect((await admin.call(changeCarrierSettings, { json })).status).toBe(200);
  const proofs = { query: { realm_id: ACME }, json: { attach_pods: "true" } };
  expect((await admin.call(changeSettings, proofs)).status).toBe(200);
  const { open } = (await admin.call(listOpenOrders)).json() as OpenOrders;
  for (const { po_number } of open)
    await admin.call(cancelOrder, { query: { customer: "retailer", po_number } });
  return admin;
}

/** Lets the notices that wait, and those of labels made until then, leave at the next full minute that is not just now. */
async function setCutOff(admin: Browser): Promise<void> {
  const { time_zone: timeZone } = (await admin.call(readNoticeSettings)).json() as { time_zone: string };
  const wall = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  const json = { cut_off: wall.format(systemClock.now().getTime() + 63_000), sender_id: "" };
  expect((await admin.call(changeNoticeSettings, { json })).status).toBe(200);
}

async function listAll(admin: Browser, show: "due" | "all"): Promise<Notice[]> {
  const reply = await admin.call(listNotices, { query: { show, limit: "200" } });
  return (reply.json() as { notices: Notice[] }).notices;
}

/**
 * Waits until some documents are planned, takes them once they are due, as the order folder does, and gives the retailer's 997 about
 * each.
 * @returns the files
 */
export async function exchange(admin: Browser, kind: Notice["kind"], count: number): Promise<string> {
  const planned = async () =>
    (await listAll(admin, "all")).filter((notice) => notice.kind === kind && notice.state === "pending")
      .length;
  await expect.poll(planned, { timeout: 300_000 }).toBe(count);
  if (kind === "ship") await setCutOff(admin);
  const due = async () => (await listAll(admin, "due")).filter((notice) => notice.kind === kind);
  await expect.poll(async () => (await due()).length, { timeout: 200_000 }).toBe(count);
  const ids = (await due()).map(({ id }) => id);
  const file = Buffer.from(await admin.download(downloadNotices, { json: { ids } })).toString();
  const [group, document] = kind === "invoice" ? ["IN", "810"] : ["SH", "856"];
  const sets = (await listAll(admin, "all"))
    .filter(({ id }) => ids.includes(id))
    .map(({ control_number: number }, at) => {
      const own = String(at + 1).padStart(4, "0");
      return [
        `ST*997*${own}`,
        `AK1*${group}*${number}`,
        `AK2*${document}*0001`,
        "AK5*A",
        "AK9*A*1*1*1",
        `SE*6*${own}`,
      ];
    });
  const answers = sampleFile({ sets, group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060" });
  const added = { name: `997-${kind}.edi`, bytes: Buffer.from(answers) };
  expect((await admin.call(addOrders, { file: added })).status).toBe(200);
  return file;
}

/** Matches each name that is asked about, as was done once for earlier orders. */
export async function matchNames(admin: Browser): Promise<void> {
  const { questions } = (await admin.call(listThreads, {})).json() as ThreadList;
  for (const { partner, kind, written } of questions) {
    const query = { q: kind === "customer" ? "Cool Cars" : "Claw" };
    const found = (await admin.call(searchMatches, { params: { kind }, query })).json() as {
      entries: { id: string }[];
    };
    const json = { partner, kind, written, target_id: found.entries[0]?.id ?? "" };
    expect((await admin.call(chooseMatch, { json })).status).toBe(200);
  }
}
