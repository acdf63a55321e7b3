import { expect, test } from "./product.ts";
import { expectNoBarrier } from "./support/barriers.ts";
import { openPath } from "./support/visit.ts";

test("OP-17 the admin exports all data in Settings, sees it being made, and downloads it", async ({
  openAs,
}) => {
  test.setTimeout(120_000);
  const owner = await openAs("owner");
  await openPath(owner, "/settings/");
  const card = owner.getByRole("region", { name: "Your data" });
  await card.getByRole("button", { name: "Show exports" }).click();
  await expect(card).toContainText("No exports yet.");
  await expectNoBarrier(owner, "Your data");
  await card.getByRole("button", { name: "Export all data" }).click();
  const link = card.getByRole("link", { name: "Download" });
  await expect(link).toBeVisible({ timeout: 90_000 });
  await expect(card).toContainText(/SHA-256 [0-9a-f]{64}/);
  await expectNoBarrier(owner, "Your data");
  const download = owner.waitForEvent("download");
  await link.click();
  expect((await download).suggestedFilename()).toMatch(/^all-data-\d{4}-\d\d-\d\d\.tar$/);

  const clerk = await openAs("clerk");
  await openPath(clerk, "/settings/");
  await expect(clerk.getByRole("heading", { name: "Signed-in devices" })).toBeVisible();
  await expect(clerk.getByRole("region", { name: "Your data" })).toHaveCount(0);
});
