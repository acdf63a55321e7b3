import { readFile } from "node:fs/promises";
import { listThreads, chooseMatch, searchMatches } from "#features/order-invoices/contract.ts";
import type { ThreadList } from "#features/order-invoices/contract.ts";
import {
  changeNoticeSettings,
  downloadNotices,
  listNotices,
  readNoticeSettings,
  type Notice,
} from "#features/orders/notices-out/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import {
  cancelOrder,
  changeCarrierSettings,
  listOpenOrders,
  type OpenOrders,
} from "#features/shipping/contract.ts";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { systemClock } from "#platform/clock.ts";
import type { Browser } from "../support/browser.ts";
import { CARRIER_SETTINGS } from "../support/shipping.ts";
import { expect, test } from "./product.ts";
import { connectUps, generate, order, signInAdmin, TAB } from "./support/orders.ts";
import { grantTracking } from "./support/services.ts";
import { openPath } from "./support/visit.ts";

const PO = "0088421707";

/** Lets notices leave at the next full minute that is not just now. */
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

/** Takes the documents that are due, as the order folder does, and gives the retailer's 997 about each. @returns the files */
async function exchange(admin: Browser, kind: Notice["kind"], count: number): Promise<string> {
  const due = async () => (await listAll(admin, "due")).filter((notice) => notice.kind === kind);
  await expect.poll(async () => (await due()).length, { timeout: 100_000 }).toBe(count);
  const ids = (await due()).map(({ id }) => id);
  const file = Buffer.from(await admin.download(downloadNotices, { json: { ids } })).toString();
  const [group, document] = kind === "invoice" ? ["IN", "810"] : ["SH", "856"];
  const sets = (await listAll(admin, "all"))
    .filter(({ id }) => ids.includes(id))
    .map(({ control_number: number }) => [
      "ST*997*0001",
      `AK1*${group}*${number}`,
      `AK2*${document}*0001`,
      "AK5*A",
      "AK9*A*1*1*1",
      "SE*6*0001",
    ]);
  for (const [at, set] of sets.entries()) {
    const answer = sampleFile({ sets: [set], group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060" });
    const added = { name: `997-${kind}-${at}.edi`, bytes: Buffer.from(answer) };
    expect((await admin.call(addOrders, { file: added })).status).toBe(200);
  }
  return file;
}

/** Matches each name that is asked about, as was done once for earlier orders. */
async function matchNames(admin: Browser): Promise<void> {
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

test("TD-03 TD-04 TD-13 TD-15 TD-17 an order of three lines leaves in two shipments with one line canceled, is billed part by part, and the retailer accepts both 810s", async ({
  openAs,
  product,
}) => {
  test.setTimeout(400_000);
  await grantTracking(product);
  await connectUps(product, CARRIER_SETTINGS.ship_from);
  const admin = await signInAdmin(product);
  const settings = { ...CARRIER_SETTINGS, vendor_number: "60012345" };
  expect((await admin.call(changeCarrierSettings, { json: settings })).status).toBe(200);
  const { open } = (await admin.call(listOpenOrders)).json() as OpenOrders;
  // The demo's own orders would be among those that are selected.
  for (const { po_number } of open)
    await admin.call(cancelOrder, { query: { customer: "retailer", po_number } });
  await setCutOff(admin);
  const page = await openAs("owner");
  await openPath(page, TAB);
  const file = await readFile(new URL("../corpus/thread/a1-850-order.edi", import.meta.url), "utf8");
  const known = file.replace("12 Example Lane", "12 Main Street");
  await page
    .getByLabel("File of orders")
    .setInputFiles({ name: "a1.edi", mimeType: "", buffer: Buffer.from(known) });
  const card = order(page, PO);
  await card.getByRole("button", { name: /^Add/ }).click();
  for (const carton of [1, 2]) {
    const group = card.getByRole("group", { name: `Carton ${carton}` });
    for (const [name, value] of Object.entries({ Length: "20", Width: "12", Height: "8", Weight: "7" }))
      await group.getByRole("textbox", { name: new RegExp(`^${name}`) }).fill(value);
  }
  const grid = card.getByRole("table", { name: "Pieces in each carton" });
  const cell = (sku: string, place: number) =>
    grid.getByRole("textbox", { name: `${sku} in carton ${place}`, exact: true });
  const shares: [string, string, string][] = [
    ["1001234567", "2", "2"],
    ["1001234575", "1", ""],
    ["1001234583", "", ""],
  ];
  for (const [sku, one, two] of shares) {
    await cell(sku, 1).fill(one);
    await cell(sku, 2).fill(two);
  }
  await grid.getByRole("radio", { name: "Cancel 4" }).check();
  await generate(card).click();
  const ready = card.getByRole("group", { name: `Labels ready for PO # ${PO}` });
  await expect(ready).toContainText("2 cartons");
  await ready.getByRole("button", { name: "Pack the rest" }).click();
  await generate(card).click();
  await expect(ready).toContainText("1 carton");
  const notices = await exchange(admin, "ship", 2);
  expect(notices.match(/LIN\*/g)).toHaveLength(5);
  await matchNames(admin);
  await openPath(page, `/orders/?q=${PO}`);
  await page.getByRole("link", { name: PO }).click();
  const [one, two] = [1, 2].map((at) =>
    page.getByRole("region", { name: `Ordered, shipped, billed: shipment ${at} of 2`, exact: true }),
  );
  await expect(one!.getByRole("row", { name: /^Total/ })).toContainText("$324.90");
  await expect(two!.getByRole("row", { name: /^Total/ })).toContainText("$227.40");
  await one!.getByRole("button", { name: /^Post to QuickBooks/ }).click();
  await expect(page.getByText(/^Posted to QuickBooks as invoice/)).toHaveCount(2, { timeout: 60_000 });
  const documents = await exchange(admin, "invoice", 2);
  expect(documents.match(/TDS\*\d+/g)?.toSorted()).toEqual(["TDS*22740", "TDS*32490"]);
  await page.reload();
  const accepted = page.getByRole("listitem").filter({ hasText: "810 sent" });
  await expect(accepted).toContainText("810 accepted");
});
