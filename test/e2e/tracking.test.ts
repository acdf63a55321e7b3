import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { ACME } from "../support/intuit.ts";
import type { Product } from "../support/run-product.ts";
import { expect, test } from "./product.ts";
import { turnTrackingOn } from "./support/services.ts";

/** On the simulated UPS's page, lets the next event of a package happen until it is delivered, as a user does. */
async function deliver(page: Page, { upsUrl }: Product, number: string) {
  const pack = page.locator(`[id="${number}"]`);
  const forward = pack.getByRole("button", { name: `Move ${number} forward` });
  const open = async () => {
    await page.goto(`${upsUrl}/packages?find=${number}`);
    await pack.locator("summary").first().click();
    return (await forward.count()) > 0;
  };
  while (await open()) {
    const moved = page.waitForResponse((response) => response.url().endsWith("/advance"));
    await forward.click();
    expect((await moved).status()).toBe(303);
  }
}

test("GEN-03 HM-03 HM-04 SR-08 TK-01 TK-02 TK-08 TK-09 TK-13 TK-18 SR-12 TR-05 TR-23 a user turns the service on with a test card, and a delivered package has its proof on the Tracking page and on the invoice in QuickBooks", async ({
  openAs,
  product,
}) => {
  test.setTimeout(300_000);
  const page = await openAs("owner");
  const works = await turnTrackingOn(page);
  await works.getByRole("link", { name: "See the packages in Tracking" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Dockside Tracking" })).toBeVisible();

  const list = page.getByRole("region", { name: "Invoices with packages" });
  await expect(list.getByRole("link", { name: /Not tracked.*FedEx/ })).toBeVisible();
  await list.getByRole("link", { name: /Not tracked.*FedEx/ }).click();
  await expect(page.getByText("The FedEx number on this invoice isn't tracked. Only UPS is.")).toBeVisible();
  await list.getByRole("link", { name: /and 1 more/ }).click();
  await expect(page.getByRole("list", { name: "2 packages" }).getByRole("link")).toHaveCount(2);

  await list.getByRole("button", { name: /^Moving/ }).click();
  const listed = list
    .getByRole("link", { name: /On the way/ })
    .filter({ hasNotText: "more" })
    .first();
  await listed.click();
  const pane = page.locator("section[aria-labelledby=package-heading]");
  const facts = await pane.getByText(/^Invoice .*1Z/).textContent();
  const [number = ""] = /1Z\w{16}/.exec(facts ?? "") ?? [];
  await expect(
    pane.getByText(/^We added .*UPS Ground.* to the invoice\. Nothing else was changed\./),
  ).toBeVisible();
  const invoice = (await pane.getByRole("link", { name: /^Invoice .* in QuickBooks$/ }).textContent()) ?? "";

  await deliver(await openAs("guest"), product, number);
  await expect(pane.getByText(new RegExp(`On invoice ${invoice} since `))).toBeVisible({ timeout: 90_000 });
  await expect(pane.getByRole("figure", { name: "Proof of delivery" })).toContainText(number);
  await expect(pane.getByRole("list", { name: "Scans" }).getByRole("listitem").first()).toContainText(
    "Delivered",
  );
  const time = /\d:\d\d [AP]M ([A-Z]{3,4}|UTC-\d+)/;
  await expect(pane.getByRole("figure", { name: "Proof of delivery" })).toContainText(time);
  await expect(pane.getByRole("list", { name: "Scans" }).getByRole("time").first()).toHaveText(time);
  const downloading = page.waitForEvent("download");
  await pane.getByRole("button", { name: /^Download PDF/ }).click();
  const bytes = await readFile(await (await downloading).path());
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  const packing = page.waitForEvent("download");
  await pane.getByRole("button", { name: "Download dispute pack" }).click();
  const pack = await packing;
  expect(pack.suggestedFilename()).toBe(`dispute-pack-${invoice}.pdf`);
  const pages = (await readFile(await pack.path())).toString("latin1").match(/\/Type\s*\/Page\b/g);
  // Its contents, the invoice, the scans and the proof.
  expect(pages?.length).toBeGreaterThanOrEqual(4);

  const days = page.getByRole("toolbar", { name: "Packages by day" });
  const counts = page.getByRole("table", { name: "Packages by day, 14 days" });
  await expect(counts.getByRole("row")).toHaveCount(15);
  await days
    .getByRole("link", { name: /delivered/ })
    .last()
    .focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/day=\d{4}-\d\d-\d\d/);
  await expect(list).toContainText(/Delivered or last scanned on \w+ \d+\./);
  await list.getByRole("button", { name: "Delivered", exact: true }).click();
  await expect(list.getByRole("listitem").filter({ hasNotText: /Delivered/i })).toHaveCount(0);
  await expect(list.getByRole("link", { name: new RegExp(invoice) })).toBeVisible();
  await list.getByRole("link", { name: "Show all days" }).click();
  await expect(page).not.toHaveURL(/day=/);

  const books = await openAs("guest");
  await books.goto(`${product.intuitUrl}/qbo/${ACME}`);
  const files = books.getByRole("region", { name: "Attachments" });
  await expect(files).toContainText(`proof-of-delivery-${number}.pdf`);
  await expect(files).toContainText(`invoice ${invoice}`);
});
