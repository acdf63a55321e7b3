import type { Page } from "@playwright/test";
import { listShipments, type LabelHistory } from "#features/shipping/contract.ts";
import { sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { enterDatabase } from "../faults/support/kills.ts";
import type { Product } from "../support/run-product.ts";
import { driveUps } from "../support/ups.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { add, connectUps, generate, HISTORY, order, row, signInAdmin, TAB } from "./support/orders.ts";
import { grantTracking } from "./support/services.ts";
import { openPath } from "./support/visit.ts";

/** The tests share one company and follow each other. */
test.describe.configure({ mode: "serial" });

const SHIP_FROM = {
  name: "Acme Tools",
  phone: "",
  line: "9 Wharf Road",
  city: "Portland",
  state: "OR",
  zip: "97209",
};
const TOM = { name: "Tom Reed", lines: ["900 Far Road"], city: "Reno", postal: "89506" };

/** Pictures for a look at the pages, where SHOTS names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  const { SHOTS } = process.env;
  if (!SHOTS) return;
  for (const width of [1280, 375])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
}

/** Lets what the system does each minute, hour or night happen now. */
async function hasten(product: Product, kinds: readonly string[], changes: readonly string[] = []) {
  const client = await enterDatabase(product);
  try {
    for (const change of changes) await client.query(change);
    for (const kind of kinds)
      await client.query(
        "update run set due_at = now() - interval '1 second' where kind = $1 and state = 'waiting'",
        [kind],
      );
  } finally {
    await client.end();
  }
}

const pollNow = "update package set next_poll_at = added_at where next_poll_at is not null";

test("UO-02 a shipment at UPS that may be the order's is shown beside it with three answers, and nothing is bought before one is chosen", async ({
  openAs,
  product,
}) => {
  test.setTimeout(240_000);
  await grantTracking(product);
  await connectUps(product, SHIP_FROM);
  const ups = driveUps(product.upsUrl);
  await ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  const listLive = async () => {
    type Shipments = { shipments: { id: string; packages: { voidedAt: number | null }[] }[] };
    const { shipments } = await ups.control<Shipments>("shipments");
    return shipments.filter(({ packages }) => packages[0]?.voidedAt === null).map(({ id }) => id);
  };
  const before = await listLive();
  const made: string[] = [];
  for (const reference of ["80001", "80002", "80003"]) {
    const theirs = { scenario: "never_scanned", reference, to: TOM, weightLb: 9 };
    const { tracking } = await ups.control<{ tracking: string[] }>("packages", theirs);
    made.push(...tracking);
  }
  const page = await openAs("owner");
  await openPath(page, TAB);
  await add(page, [sampleOrder(1), sampleOrder(2), sampleOrder(3)]);
  const question = (po: string) =>
    order(page, po).getByRole("group", { name: "Another shipment at UPS has this PO" });
  for (const po of ["80001", "80002", "80003"]) {
    await generate(order(page, po)).click();
    await expect(question(po)).toBeVisible({ timeout: 60_000 });
  }
  for (const text of ["Jane Doe", "not bought yet", /TOM REED/, "9 lb", "UPS Ground", /differs/])
    await expect(question("80001")).toContainText(text);
  await expectAccessible(page, "a question about a shipment at UPS");
  await picture(page, "stranger");
  expect((await listLive()).toSorted()).toEqual([...before, ...made].toSorted());
  for (const [po, answer] of [
    ["80001", "Use this label"],
    ["80002", "It isn't ours: buy a new one"],
    ["80003", "It's a mistake: void it, then buy ours"],
  ] as const) {
    await question(po)
      .getByRole("button", { name: new RegExp(`^${answer}`) })
      .click();
    if (po === "80003") {
      await picture(page, "stranger-void");
      await page.getByRole("dialog").getByRole("button", { name: "Void it, then buy ours" }).click();
    }
    await expect(question(po)).toHaveCount(0, { timeout: 60_000 });
  }
  await page.getByRole("tab", { name: "History" }).click();
  for (const po of ["80001", "80002", "80003"]) await expect(row(page, po)).toBeVisible({ timeout: 60_000 });
  const live = await listLive();
  expect(live).toHaveLength(before.length + 4);
  expect(live).toEqual(expect.arrayContaining(made.slice(0, 2)));
  expect(live).not.toContain(made[2]);
});

test("UO-06 labels that are voided at UPS's page say so in History, their order is open again, and the retailer is to be informed if it has their notice", async ({
  openAs,
  product,
}) => {
  test.setTimeout(240_000);
  const ups = driveUps(product.upsUrl);
  const page = await openAs("owner");
  await openPath(page, TAB);
  await add(page, [sampleOrder(4), sampleOrder(5)]);
  for (const po of ["80004", "80005"]) {
    await generate(order(page, po)).click();
    await expect(order(page, po).getByRole("group", { name: /^Labels ready/ })).toBeVisible({
      timeout: 60_000,
    });
  }
  // The notice of one has left.
  await hasten(
    product,
    [],
    ["update order_notice set due_at = now() - interval '1 minute' where po_number = '80005'"],
  );
  await openPath(page, TAB);
  const due = page.getByRole("group", { name: /notices? for/ });
  const saving = page.waitForEvent("download");
  await due.getByRole("button", { name: "Download notices" }).click();
  await saving;
  const admin = await signInAdmin(product);
  const { labels } = (await admin.call(listShipments, { query: {} })).json() as LabelHistory;
  for (const { po_number: po, tracking_numbers: numbers } of labels)
    if (po === "80004" || po === "80005")
      for (const tracking of numbers) await ups.control("packages/void", { tracking });
  await hasten(product, ["packages.poll"], [pollNow]);
  await openPath(page, HISTORY);
  await expect(row(page, "80004")).toContainText("Voided on ups.com", { timeout: 150_000 });
  await expect(row(page, "80005")).toContainText("Let them know they're void");
  await expect(row(page, "80004")).not.toContainText("Let them know they're void");
  await expect(row(page, "80004").getByRole("button", { name: /^Print/ })).toHaveCount(0);
  await expectAccessible(page, "labels that were voided at UPS");
  await picture(page, "voided");
  await row(page, "80004")
    .getByRole("link", { name: /^Make new labels/ })
    .click();
  await expect(generate(order(page, "80004"))).toBeVisible();
});

test("UO-12 a second shipment that UPS made by one call is a difference in Settings with its cure", async ({
  openAs,
  product,
}) => {
  test.setTimeout(240_000);
  const page = await openAs("owner");
  await driveUps(product.upsUrl).control("faults", { fault: "twice", operation: "ship", times: 1 });
  await openPath(page, TAB);
  await add(page, [sampleOrder(6)]);
  await generate(order(page, "80006")).click();
  await expect(order(page, "80006").getByRole("group", { name: /^Labels ready/ })).toBeVisible({
    timeout: 60_000,
  });
  // UPS is asked about one of so few purchases a day: the others are too old for that.
  await hasten(
    product,
    ["differences.compare"],
    [
      "update shipment set searched_at = requested_at",
      "update shipment set requested_at = requested_at - interval '40 days' where po_number <> '80006'",
    ],
  );
  const differences = page.getByRole("list", { name: "Differences" });
  await expect(async () => {
    await openPath(page, "/settings/data/?section=differences");
    await expect(differences).toContainText("UPS has labels for PO # 80006 that aren't in your history", {
      timeout: 3_000,
    });
  }).toPass({ timeout: 150_000 });
  await expect(differences).toContainText("Void them at ups.com if you don't need them.");
  await expectAccessible(page, "differences from the vendors' records");
  await picture(page, "differences");
});

test("TR-27 a UPS login that is refused twice is reported on the order that waits and in Settings; the labels are made once it is accepted", async ({
  openAs,
  product,
}) => {
  test.setTimeout(240_000);
  const ups = driveUps(product.upsUrl);
  await ups.control("tokens/expire", {});
  await ups.control("faults", { fault: "invalid_credentials", operation: "refresh" });
  const page = await openAs("owner");
  await openPath(page, TAB);
  await add(page, [sampleOrder(7)]);
  await generate(order(page, "80007")).click();
  await expect(order(page, "80007")).toContainText("UPS isn't accepting the login of your UPS account", {
    timeout: 150_000,
  });
  await picture(page, "login-refused");
  await openPath(page, "/settings/data/?section=health");
  const list = page.getByRole("list", { name: "Connections" });
  await expect(list.getByRole("listitem").filter({ hasText: "UPS" })).toContainText("Needs attention");
  await ups.control("faults", undefined, "DELETE");
  await hasten(product, ["labels.ship"]);
  await openPath(page, HISTORY);
  await expect(row(page, "80007")).toBeVisible({ timeout: 150_000 });
});

test("TR-28 changes in QuickBooks that wait for the next read are named in Tracking with its time", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  await hasten(
    product,
    [],
    [
      "update tracking_company set changed_at = now(), read_until = now() - interval '1 minute', reads_left = 0, reads_at = now(), read_after = now() + interval '25 minutes'",
    ],
  );
  await openPath(page, "/tracking/");
  await expect(page.getByText(/We'll read changes in QuickBooks again at \d+:\d\d [AP]M/)).toBeVisible();
  await expectAccessible(page, "changes that wait for a read");
  await picture(page, "waiting-read");
});

test("TR-26 without the Tracking Service a linked UPS account is shown under Connections, makes labels, and is ended there", async ({
  openAs,
  product,
}) => {
  test.setTimeout(120_000);
  await grantTracking(product, "ended");
  const page = await openAs("owner");
  await openPath(page, TAB);
  await add(page, [sampleOrder(8)]);
  await generate(order(page, "80008")).click();
  await expect(order(page, "80008").getByRole("group", { name: /^Labels ready/ })).toBeVisible({
    timeout: 60_000,
  });
  await openPath(page, "/settings/data/?section=health");
  const account = page
    .getByRole("list", { name: "Connections" })
    .getByRole("listitem")
    .filter({ hasText: "UPS" });
  await expect(account).toContainText("Account ending 2B3C");
  await expectAccessible(page, "connections");
  await picture(page, "connections");
  await account.getByRole("button", { name: /^Disconnect/ }).click();
  await expect(account).toContainText("Not connected");
  await openPath(page, TAB);
  await expect(page.getByText("UPS labels need Tracking Service")).toBeVisible();
  await expect(page.getByRole("link", { name: "Add it in Settings" })).toBeVisible();
});
