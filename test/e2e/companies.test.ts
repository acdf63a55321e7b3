import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";

const ACME = "9130357849016936";
const BAY = "9130357849016944";
const stored = (page: Page) => page.evaluate(() => localStorage.getItem("realmId"));
test("CO-01 CO-03 CO-07 CO-08 SE-04 CO-11 the company on screen is remembered, and switching it is sent to the server", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/");
  await expect(page.getByRole("radio", { name: "Acme Tools" })).toBeChecked();
  expect(await stored(page)).toBe(ACME);
  const switched = page.waitForRequest((request) =>
    request.url().endsWith(`/api/v1/user/company?realm_id=${BAY}`),
  );
  await page.getByRole("radio", { name: "Bay Supply" }).click();
  expect((await switched).method()).toBe("POST");
  expect(await stored(page)).toBe(BAY);
  await expect(page.locator("[aria-live=polite]")).toHaveText("Now working in Bay Supply");
  await page.reload();
  await expect(page.getByRole("radio", { name: "Bay Supply" })).toBeChecked();
  // Once all companies are there the page does not store its own choice again.
  await expect(page.getByRole("radio", { name: "Acme Tools" })).toBeVisible();
  // The list begins with the company that was worked in last.
  await page.evaluate(() => localStorage.setItem("realmId", "12345"));
  await page.reload();
  await expect(page.getByRole("radio", { name: "Bay Supply" })).toBeChecked();
  await expect.poll(() => stored(page)).toBe(BAY);
});

test("US-16 an added user finds an invitation mail in the demo's mailbox beside the simulated QuickBooks", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/?section=users");
  await page.getByRole("textbox", { name: "Email of the new user" }).fill("invited@acme.example");
  await page.getByRole("button", { name: "Add User" }).click();
  await expect(page.getByText("invited@acme.example added.")).toBeAttached();
  await expect(page.getByText("New users get an email with an invitation.")).toBeVisible();
  const address = await page.getByRole("link", { name: "Open the demo's mailbox" }).getAttribute("href");
  await expect(async () => {
    await page.goto(address ?? "");
    await expect(page.getByText("To invited@acme.example")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page
    .getByRole("link", { name: /\/invitation\/\?id=/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Join Acme Tools?" })).toBeVisible();
  await page.getByRole("button", { name: "Decline" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Invitation declined" })).toBeVisible();
});

test("SR-05 OI-12 the admin creates an API key in Settings under Developers, a program adds an order with it, and after revoking it is refused, as the audit trail under Data & security says", async ({
  openAs,
  product,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/");
  const pages = page.getByRole("navigation", { name: "Settings" });
  await pages.getByRole("link", { name: "Developers" }).click();
  await page.getByRole("button", { name: "API keys" }).click();
  await expect(page).toHaveURL(/\/settings\/developers\/\?section=keys$/);
  await page.getByRole("textbox", { name: "Name" }).fill("Warehouse system");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = await page.getByRole("textbox", { name: "The new key", exact: true }).inputValue();
  expect(secret).toMatch(/^dk_[\w-]{43}$/);
  const send = async () => {
    const response = await fetch(`${product.url}/api/v1/partner/orders`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        po_number: "E2E-KEY-1",
        ship_to: { name: "Jane Doe", lines: ["12 Main Street"], city: "Reno", state: "NV", zip: "89506" },
        lines: [{ line: "1", buyer_sku: "1001", qty: 1 }],
      }),
    });
    return { status: response.status, body: await response.text() };
  };
  const added = await send();
  expect([added.status, added.body.includes(`"added"`)]).toEqual([200, true]);
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "Warehouse system" });
  await expect(row).not.toContainText("Never");
  await expect(page.getByText(secret)).toHaveCount(0);
  await row.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke the key" }).click();
  await expect(row).toContainText("Revoked");
  expect((await send()).status).toBe(401);
  await pages.getByRole("link", { name: "Data & security" }).click();
  await page.getByRole("button", { name: "Audit trail" }).click();
  await expect(page.getByRole("cell", { name: "API key Warehouse system", exact: true })).toBeVisible();
});
