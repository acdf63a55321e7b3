import { endLink } from "#features/carrier/contract.ts";
import { sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../support/intuit.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { UPS_ACCOUNT, TAB, order, field, generate, signInAdmin, connectUps, add } from "./support/orders.ts";
import { grantTracking } from "./support/services.ts";
import { openPath } from "./support/visit.ts";

/** The second test follows the first. */
test.describe.configure({ mode: "serial" });

test("CR-32 OI-01 OI-03 without a UPS account orders come in by file, but no labels are made", async ({
  openAs,
  product,
}) => {
  await grantTracking(product);
  const query = { realm_id: ACME, ups_account: UPS_ACCOUNT };
  expect((await (await signInAdmin(product)).call(endLink, { query })).status).toBe(200);
  const page = await openAs("owner");
  await openPath(page, TAB);
  await expect(page.getByText("No UPS account is connected")).toBeVisible();
  await expect(page.getByRole("link", { name: "Connect a UPS account in Settings" })).toHaveAttribute(
    "href",
    "/settings/?section=tracking",
  );
  await add(page, [sampleOrder(1), sampleOrder(2), sampleOrder(3), sampleOrder(4)]);
  const result = page.getByRole("group", { name: "Orders of orders.edi" });
  await expect(result).toContainText(/4 orders added \(.*\): PO # 80001, PO # 80002, PO # 80003, PO # 80004/);
  await expect(order(page, "80001")).toContainText("PO # 80001 (Jane Doe)");
  await expect(order(page, "80001")).toContainText("Reno, NV 89506 · 2 lines");
  await expect(generate(order(page, "80001"))).toBeDisabled();
  await expect(generate(order(page, "80001"))).toHaveAccessibleDescription("Connect a UPS account first.");
  await add(page, [sampleOrder(2)], "again.txt");
  await expect(page.getByRole("group", { name: "Orders of again.txt" })).toContainText("1 already here");
  await expectAccessible(page, "orders without an account");
});

test("the admin enters a missing ship-from address, and then labels can be made", async ({
  openAs,
  product,
}) => {
  await connectUps(product);
  const page = await openAs("owner");
  await openPath(page, TAB);
  await page.getByRole("button", { name: "Add it in the UPS label settings" }).click();
  const form = page.getByRole("form", { name: "UPS label settings" });
  const from = {
    Name: "Acme Tools",
    Address: "9 Wharf Road",
    City: "Portland",
    State: "or",
    "ZIP code": "97209",
  };
  for (const [name, value] of Object.entries(from)) await field(form, name).first().fill(value);
  await form.getByRole("textbox", { name: /^UPS account of/ }).fill("R9H77W");
  await form.getByRole("textbox", { name: "ZIP code of that account" }).fill("3033");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("alert")).toContainText("five-digit ZIP code");
  await form.getByRole("textbox", { name: "ZIP code of that account" }).fill("30339");
  await form.getByRole("button", { name: "Add a carton size" }).click();
  await form
    .getByRole("group", { name: "Carton size 1" })
    .getByRole("textbox", { name: "Name" })
    .fill("Cube");
  await expectAccessible(page, "UPS label settings");
  await form.getByRole("button", { name: "Save" }).click();
  // The notice that it takes away moves everything below.
  await expect(page.getByText("Your ship-from address is missing")).toHaveCount(0);
  const notices = page.getByRole("form", { name: /^Notices for/ });
  const cutOff = notices.getByRole("textbox", { name: "Send notices at" });
  await cutOff.fill("4 pm");
  await notices.getByRole("button", { name: "Save notice settings" }).click();
  await expect(notices.getByRole("alert")).toContainText("must be a time like 17:00");
  await cutOff.fill("16:30");
  await notices.getByRole("button", { name: "Save notice settings" }).click();
  await expect(notices.getByRole("alert")).toHaveCount(0);
  await expect(page.getByText(/^UPS account ending 2B3C is connected\./)).toBeVisible();
  await expect(generate(order(page, "80001"))).toBeEnabled();
});
