import { PDFDocument } from "pdf-lib";
import { changeCarrierSettings } from "#features/shipping/contract.ts";
import { sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { CARRIER_SETTINGS } from "../support/shipping.ts";
import { expect, test } from "./product.ts";
import { add, connectUps, generate, HISTORY, order, signInAdmin, TAB, weight } from "./support/orders.ts";
import { scan } from "./support/scanner.ts";
import { grantTracking } from "./support/services.ts";
import { openPath } from "./support/visit.ts";

/** The tests share one company and follow each other. */
test.describe.configure({ mode: "serial" });

const PRINT = "**/ups-label/print";

test("SR-04 the box last used for the same items and quantities is chosen by its name", async ({
  openAs,
  product,
}) => {
  await grantTracking(product);
  await connectUps(product, CARRIER_SETTINGS.ship_from);
  const carton = { length: 18, width: 12, height: 10, weight: 5 };
  const json = { ...CARRIER_SETTINGS, presets: [{ name: "Medium box", carton }] };
  expect((await (await signInAdmin(product)).call(changeCarrierSettings, { json })).status).toBe(200);
  const page = await openAs("owner");
  await openPath(page, TAB);
  const others = sampleOrder(3).map((segment) =>
    segment.replace("PO1*1*2*EA", "PO1*1*3*EA").replace("CTT*2*12", "CTT*2*13"),
  );
  await add(page, [sampleOrder(1), sampleOrder(2), others]);
  const box = (po: string) => order(page, po).getByRole("combobox", { name: "Box" });
  const chosen = (po: string) => box(po).locator("option:checked");
  await expect(chosen("80002")).not.toHaveText("Medium box");
  await box("80001").selectOption("Medium box");
  await generate(order(page, "80001")).click();
  await expect(order(page, "80001").getByRole("group", { name: /^Labels ready/ })).toBeVisible();
  await expect(chosen("80002")).toHaveText("Medium box");
  await expect(order(page, "80002")).toContainText("Same box as last time for these items.");
  await expect(chosen("80003")).not.toHaveText("Medium box");
  await expect(order(page, "80003")).not.toContainText("Same box as last time");
});

test("SR-03 labels and slips of several orders print as one file in packing order, from the band and from History", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, TAB);
  const numbers = [5, 6, 7];
  await add(page, numbers.map(sampleOrder));
  for (const number of numbers)
    await page.getByRole("checkbox", { name: `Select PO # 8000${number}` }).check();
  const band = page.getByRole("region", { name: "Selected orders" });
  const making = page.waitForResponse("**/ups-label/batch");
  await band.getByRole("button", { name: "Generate 3 labels" }).click();
  const made = (await (await making).json()) as { orders: { order_id: string; id: string }[] };
  const ids = made.orders.map(({ id }) => id);
  const result = page.getByRole("group", { name: "Generated labels" });
  const printing = page.waitForResponse(PRINT);
  await result.getByRole("button", { name: "Print 3 labels and slips" }).click();
  const file = await printing;
  expect(file.request().postDataJSON()).toEqual({ ids, slips: true });
  const papers = (await PDFDocument.load(await file.body())).getPages();
  expect(papers.map((paper) => paper.getWidth())).toEqual([288, 612, 288, 612, 288, 612]);

  await openPath(page, HISTORY);
  for (const number of [7, 5])
    await page.getByRole("checkbox", { name: `Select the labels of PO # 8000${number}` }).check();
  const again = page.waitForResponse(PRINT);
  await page.getByRole("button", { name: "Print 2 labels and slips" }).click();
  expect((await again).request().postDataJSON()).toEqual({ ids: [ids[0], ids[2]], slips: true });
});

test("SR-01 40 orders are packed by scanner and keyboard alone, with at most three keys an order besides its weight", async ({
  openAs,
}) => {
  test.setTimeout(480_000);
  const page = await openAs("owner");
  await openPath(page, TAB);
  const numbers = Array.from({ length: 40 }, (_, at) => 10 + at);
  await add(page, numbers.map(sampleOrder));
  await expect(page.getByRole("group", { name: "Orders of orders.edi" })).toContainText("40 orders added");
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  // Packed as they come off the shelf, not as they are listed.
  for (const number of numbers.toReversed()) {
    const packed = order(page, `8000${number}`);
    await scan(page, `8000${number}`);
    await expect(weight(packed).first()).toBeFocused();
    await page.keyboard.type("6.5");
    await press("Enter");
    // UPS is asked 120 times a minute at most, and a fast machine packs 14 orders in less.
    await expect(packed.getByRole("button", { name: /^Print label and slip/ })).toBeFocused({
      timeout: 90_000,
    });
    const printing = page.waitForResponse(PRINT);
    await press("Enter");
    const print = await printing;
    expect([print.status(), print.request().postDataJSON()]).toMatchObject([200, { slips: true }]);
  }
  expect(keys).toBeLessThanOrEqual(3 * numbers.length);
});
