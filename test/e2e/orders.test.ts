import { readFile } from "node:fs/promises";
import { sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { CARRIER_SETTINGS } from "../support/shipping.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { openPath } from "./support/visit.ts";
import { TAB, HISTORY, order, row, weight, generate, connectUps, add } from "./support/orders.ts";
import { scan } from "./support/scanner.ts";
import { grantTracking } from "./support/services.ts";

/** The tests share one company and follow each other. */
test.describe.configure({ mode: "serial" });

test("CR-03 CR-04 CR-11 CR-12 CR-13 CR-14 CR-16 CR-18 CR-19 DL-02 DL-05 labels are made, saved and stay with their order until the tab is left", async ({
  openAs,
  product,
}) => {
  await grantTracking(product);
  await connectUps(product, CARRIER_SETTINGS.ship_from);
  const page = await openAs("owner");
  const sent: unknown[] = [];
  const made = Promise.withResolvers<void>();
  await page.route("**/api/v1/labels/ups-label", async (route) => {
    if (route.request().method() === "POST") {
      sent.push(route.request().postDataJSON());
      await made.promise;
    }
    await route.continue();
  });
  await openPath(page, TAB);
  await add(page, [sampleOrder(1), sampleOrder(2), sampleOrder(3), sampleOrder(4)]);
  const first = order(page, "80001");
  await first.getByRole("button", { name: /^Add/ }).click();
  await weight(first).nth(1).fill("14.50");
  await expect(first.getByText("2 cartons")).toBeVisible();
  const saving = page.waitForEvent("download");
  await generate(first).click();
  await expect(first.getByText("Generating 2 labels…")).toBeVisible();
  for (const input of await first.getByRole("textbox").all()) await expect(input).toBeDisabled();
  await expect(generate(first)).toHaveCount(0);
  made.resolve();
  const file = await saving;
  expect(file.suggestedFilename()).toBe("80001-labels.pdf");
  expect((await readFile(await file.path())).toString("latin1")).toMatch(/^%PDF/);
  const ready = first.getByRole("group", { name: "Labels ready for PO # 80001" });
  await expect(ready).toContainText(/2 cartons · Shipment # 1Z/);
  // TD-01 The even proposal.
  const half = [
    { line: "1", quantity: "1" },
    { line: "2", quantity: "5" },
  ];
  expect(sent).toEqual([
    {
      po_number: "80001",
      order_id: expect.stringMatching(/^[\da-f-]{36}$/),
      cartons: [
        { length: 15, width: 13, height: 3, weight: 2, contents: half },
        { length: 15, width: 13, height: 3, weight: 14.5, contents: half },
      ],
      cancels: [],
      key: expect.stringMatching(/^[\da-f-]{36}$/),
      shipment_number: 1,
    },
  ]);
  const slip = page.waitForEvent("download");
  await first.getByRole("button", { name: "Download Packing Slip for PO # 80001" }).click();
  expect((await slip).suggestedFilename()).toBe("80001-packing-slip.pdf");
  await expectAccessible(page, "labels ready");
  await page.getByRole("tab", { name: "History" }).click();
  await expect(row(page, "80001")).toBeVisible();
  await page.getByRole("tab", { name: "Home Improvement" }).click();
  await expect(order(page, "80002")).toBeVisible();
  await expect(first).toHaveCount(0);
});

test("SR-01 SR-02 orders are packed by scanner and keyboard alone, with two keys an order besides its weight", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, TAB);
  await expect(page.getByRole("searchbox", { name: "Search orders" })).toBeFocused();
  const printed: unknown[] = [];
  await page.route("**/ups-label/print", async (route) => {
    printed.push(route.request().postDataJSON());
    await route.continue();
  });
  // The first scan goes to the search field, the others to whatever had the focus then.
  for (const po of ["80003", "80004", "80002"]) {
    await scan(page, po);
    // The items are those of PO # 80001, so its two cartons are offered.
    await expect(weight(order(page, po)).first()).toBeFocused();
    await page.keyboard.type("6.5");
    await page.keyboard.press("Enter");
    const print = order(page, po).getByRole("button", { name: /^Print 2 labels and slips/ });
    await expect(print).toBeFocused();
    const asked = page.waitForResponse("**/ups-label/print");
    await page.keyboard.press("Enter");
    expect((await asked).status()).toBe(200);
    // The browser's own print dialog would take the focus, and gives it back.
    await expect(print).toBeFocused();
  }
  // A click takes the focus from the last order, which must not move what is clicked.
  const next = page.getByRole("checkbox", { name: /^Select PO/, disabled: false }).first();
  await next.check();
  expect(printed).toHaveLength(3);
  expect(printed[0]).toMatchObject({ slips: true });
  await expectAccessible(page, "packed orders");
});

test("HI-01 HI-02 HI-03 HI-06 HI-07 HI-08 HI-09 HI-11 HI-12 HI-13 HI-15 HI-16 labels are found, printed again and voided by keyboard", async ({
  openAs,
}) => {
  const page = await openAs("owner", { timezoneId: "America/New_York" });
  await openPath(page, HISTORY);
  await expect(page.getByRole("heading", { name: "Recently generated UPS labels" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search labels" }).fill("80001");
  await expect(page.getByRole("row")).toHaveCount(2);
  const firstRow = row(page, "80001");
  await expect(firstRow).toContainText("PO # 80001 (Jane Doe)");
  await expect(firstRow).toContainText(/Shipment # 1Z\w{16}/);
  await expect(firstRow).toContainText(/Label generated \w{3} \d+, \d+:\d\d [AP]M/);
  const saving = page.waitForEvent("download");
  await firstRow.getByRole("button", { name: "Download Current UPS Label for PO # 80001" }).click();
  expect((await saving).suggestedFilename()).toBe("80001-labels.pdf");
  await expectAccessible(page, "history");
  const ask = firstRow.getByRole("button", { name: /^Void Label\(s\)/ });
  await ask.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Void the labels of PO # 80001?" });
  await expect(dialog.getByRole("button", { name: "Keep" })).toBeFocused();
  await expectAccessible(page, "the question before a void");
  await page.keyboard.press("Escape");
  await expect(ask).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(firstRow).toContainText(/Voided \w{3} \d+, .* by /);
  await expect(page.locator("[aria-live=polite]")).toHaveText(
    /^Label\(s\) voided\. PO # 80001 is open again\./,
  );
  await firstRow.getByRole("link", { name: "Make new labels" }).click();
  await expect(generate(order(page, "80001"))).toBeEnabled();
  await expect(page.getByRole("searchbox", { name: "Search orders" })).toHaveValue("80001");
});
