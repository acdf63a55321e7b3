import { createShipment } from "#features/shipping/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { CARRIER_SETTINGS, CARTON } from "../support/shipping.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { connectUps, signInAdmin } from "./support/orders.ts";
import { grantTracking } from "./support/services.ts";
import { exchange } from "./support/thread.ts";
import { openPath } from "./support/visit.ts";

test("TD-06 TD-11 TD-17 names are matched once, many orders are posted with one click, and each order shows what was ordered, shipped and billed", async ({
  openAs,
  product,
}) => {
  // Ship notices leave at a full minute.
  test.setTimeout(150_000);
  await grantTracking(product);
  await connectUps(product, CARRIER_SETTINGS.ship_from);
  const admin = await signInAdmin(product);
  const bytes = Buffer.from(sampleFile({ sets: [1, 2, 3].map((number) => sampleOrder(number)) }));
  expect((await admin.call(addOrders, { file: { name: "orders.edi", bytes } })).status).toBe(200);
  for (const po_number of ["80001", "80002"]) {
    const shipped = await admin.call(createShipment, { json: { po_number, cartons: [CARTON] } });
    expect(shipped.status, shipped.text).toBe(200);
  }
  const page = await openAs("owner", { timezoneId: "America/New_York" });
  const row = (po: string) => page.getByRole("row").filter({ hasText: po });
  // As mails lead here.
  await openPath(page, "/orders/?q=80003");
  await expect(row("80003")).toContainText("To pack");
  await expect(row("80001")).toHaveCount(0);
  await openPath(page, "/orders/");
  await expect(row("80003")).toContainText("To pack");
  await expect(row("80001")).toContainText("Customer to match");
  await expect(page.getByRole("link", { name: "Order folder" })).toHaveAttribute(
    "href",
    "/settings/developers/?section=folder",
  );
  await exchange(admin, "ship", 2);
  await page.reload();
  const questions = page.getByRole("region", { name: "Match these names first" });
  await expect(questions).toBeVisible();
  await expectAccessible(page, "orders with questions");
  const customer = questions.getByRole("combobox", { name: /^Customer/ });
  await customer.fill("Cool");
  await customer.press("ArrowDown");
  await expect(questions.getByRole("option", { name: "Cool Cars" })).toBeVisible();
  await customer.press("Enter");
  await questions.getByRole("button", { name: /^Use/, disabled: false }).first().press("Enter");
  await expect(customer).toHaveCount(0);
  const items = questions.getByRole("combobox", { name: /^SKU/ });
  for (let left = await items.count(); left > 0; left -= 1) {
    await items.first().click();
    await questions.getByRole("option").first().click();
    await questions.getByRole("button", { name: /^Use/, disabled: false }).first().click();
    await expect(items).toHaveCount(left - 1);
  }
  for (const po of ["80001", "80002"]) {
    await page.getByRole("link", { name: po }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`PO # ${po}`);
    await expect(page.getByRole("button", { name: /^Post to QuickBooks/ })).toBeVisible();
    const bills = page.getByRole("button", { name: /^Bill/ });
    for (let left = await bills.count(); left > 0; left -= 1) {
      await bills.first().click();
      await expect(bills).toHaveCount(left - 1);
    }
    await page.getByRole("link", { name: "Orders" }).last().click();
  }
  await expect(page.getByRole("checkbox", { name: "Select PO # 80001" })).toBeChecked();
  await expectAccessible(page, "orders ready to bill");
  await page.getByRole("checkbox", { name: "Select PO # 80002" }).press("Space");
  await page.getByRole("button", { name: /^Post 1 invoice · \$/ }).click();
  await expect(page.getByRole("checkbox", { name: "Select PO # 80001" })).toHaveCount(0);
  await page.getByRole("button", { name: /^Done/ }).focus();
  await page.getByRole("link", { name: "80001" }).click();
  await expect(page.getByText("Posted to QuickBooks as invoice 80001.")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("row", { name: /^Total/ })).toContainText("$");
  await expect(page.getByRole("listitem").filter({ hasText: "Invoice 80001 posted" })).toContainText(
    /[AP]M P[SD]T/,
  );
  await expectAccessible(page, "an order that is posted");
});
