import { readFile } from "node:fs/promises";
import { sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import type { Locator } from "@playwright/test";
import { createShipment } from "#features/shipping/contract.ts";
import { ACME } from "../support/intuit.ts";
import type { Product } from "../support/run-product.ts";
import { CARTON } from "../support/shipping.ts";
import { expect, test } from "./product.ts";
import { add, generate, order, TAB } from "./support/orders.ts";
import { exchange, matchNames, openThreadDesk } from "./support/thread.ts";
import { openPath } from "./support/visit.ts";

const PO = "0088421707";
const BULK = 40;

/** Lets all events of a package happen. */
async function deliver({ upsUrl }: Product, number: string): Promise<void> {
  const forward = () => fetch(`${upsUrl}/packages/${number}/advance`, { method: "POST", redirect: "manual" });
  while ((await forward()).status === 303);
}

test("TD-03 TD-04 TD-13 TD-15 TD-17 TD-18 an order of three lines leaves in two shipments with one line canceled, is billed part by part, the retailer accepts both 810s, and the proofs of delivery are on the invoices", async ({
  openAs,
  product,
}) => {
  test.setTimeout(500_000);
  const admin = await openThreadDesk(product);
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
  for (const [sku, first, second] of shares) {
    await cell(sku, 1).fill(first);
    await cell(sku, 2).fill(second);
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
  const [first, second] = [1, 2].map((at) =>
    page.getByRole("region", { name: `Ordered, shipped, billed: shipment ${at} of 2`, exact: true }),
  );
  await expect(first!.getByRole("row", { name: /^Total/ })).toContainText("$324.90");
  await expect(second!.getByRole("row", { name: /^Total/ })).toContainText("$227.40");
  for (const shipment of [first, second])
    await shipment!.getByRole("button", { name: /^Post to QuickBooks/ }).click();
  await expect(page.getByText(/^Posted to QuickBooks as invoice/)).toHaveCount(2, { timeout: 60_000 });
  const documents = await exchange(admin, "invoice", 2);
  expect(documents.match(/TDS\*\d+/g)?.toSorted()).toEqual(["TDS*22740", "TDS*32490"]);
  await page.reload();
  const accepted = page.getByRole("listitem").filter({ hasText: "810 sent" });
  await expect(accepted).toContainText("810 accepted");

  const steps = page.getByRole("region", { name: "Timeline" }).getByRole("listitem");
  const [labels, delivered] = [2, 6].map((at) => steps.nth(at));
  const numbers = (await labels!.textContent())?.match(/1Z\w{16}/g) ?? [];
  expect(numbers).toHaveLength(3);
  for (const number of numbers) await deliver(product, number);
  await expect(delivered!).toContainText("3 of 3 packages delivered", { timeout: 90_000 });
  await expect(delivered!).toContainText(/Proof on invoice \S+ .*Proof on invoice \S+ /, { timeout: 90_000 });
  const books = await openAs("guest");
  await books.goto(`${product.intuitUrl}/qbo/${ACME}`);
  for (const number of numbers)
    await expect(books.getByRole("region", { name: "Attachments" })).toContainText(
      `proof-of-delivery-${number}.pdf`,
    );
  const downloading = page.waitForEvent("download");
  await page
    .getByRole("button", { name: /^Download dispute pack for invoice/ })
    .first()
    .click();
  expect((await downloading).suggestedFilename()).toMatch(/^dispute-pack-\d+\.pdf$/);
});

/** Counts what a user clicks. */
function countClicks() {
  let clicks = 0;
  return {
    click: async (target: Locator) => {
      clicks += 1;
      await target.click();
    },
    clicks: () => clicks,
  };
}

test(`TD-11 ${BULK} orders are dropped, shipped and billed with at most ten clicks and no field typed, and the retailer accepts all 810s`, async ({
  openAs,
  product,
}) => {
  test.setTimeout(530_000);
  const admin = await openThreadDesk(product);
  const priced = (number: number) =>
    sampleOrder(number).map((each) => each.replace("EA*12.50", "EA*99.00").replace("EA*.75", "EA*89.00"));
  const page = await openAs("owner");
  await openPath(page, TAB);
  // One like them has left before: its box is offered, and its names are matched.
  await add(page, [priced(99)], "before.edi");
  await expect(order(page, "800099")).toBeVisible();
  const shipped = await admin.call(createShipment, { json: { po_number: "800099", cartons: [CARTON] } });
  expect(shipped.status, shipped.text).toBe(200);
  await exchange(admin, "ship", 1);
  await matchNames(admin);
  await page.reload();
  const { click, clicks } = countClicks();
  await add(
    page,
    Array.from({ length: BULK }, (_, at) => priced(101 + at)),
    "bulk.edi",
  );
  await expect(order(page, "8000101")).toBeVisible();
  await click(page.getByRole("checkbox", { name: "Select PO # 8000101" }));
  const band = page.getByRole("region", { name: "Selected orders" });
  await click(band.getByRole("checkbox", { name: "Select all open orders" }));
  await click(band.getByRole("button", { name: /^Generate/ }));
  await exchange(admin, "ship", BULK);
  await click(page.getByRole("link", { name: "Orders", exact: true }));
  const post = page.getByRole("button", { name: new RegExp(`^Post ${BULK + 1} invoices · \\$`) });
  await expect(post).toBeVisible();
  const done = page.getByRole("button", { name: /^Done/ });
  const doneBefore = Number(/\d+$/.exec((await done.textContent()) ?? "")?.[0] ?? 0);
  await click(post);
  await exchange(admin, "invoice", BULK + 1);
  expect(clicks()).toBeLessThanOrEqual(10);
  await expect(done).toContainText(String(doneBefore + BULK + 1));
});
