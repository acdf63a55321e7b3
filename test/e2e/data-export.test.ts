import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { openPath } from "./support/visit.ts";

test("OP-17 the admin exports all data in Settings, sees it in progress, and downloads it", async ({
  openAs,
}) => {
  test.setTimeout(120_000);
  const owner = await openAs("owner");
  await openPath(owner, "/settings/data/?section=export");
  const card = owner.getByRole("region", { name: "Export" });
  await expect(card).toContainText("No exports yet.");
  await expectAccessible(owner, "Export");
  await card.getByRole("button", { name: "Export everything" }).click();
  const link = card.getByRole("link", { name: "Download" });
  await expect(link).toBeVisible({ timeout: 90_000 });
  await expect(card).toContainText(/SHA-256 [0-9a-f]{64}/);
  await expectAccessible(owner, "Export");
  const download = owner.waitForEvent("download");
  await link.click();
  expect((await download).suggestedFilename()).toMatch(/^all-data-\d{4}-\d\d-\d\d\.tar$/);

  const clerk = await openAs("clerk");
  await openPath(clerk, "/settings/data/?section=export");
  await expect(clerk.getByRole("button", { name: "Signed-in devices" })).toBeVisible();
  await expect(clerk.getByRole("button", { name: "Export" })).toHaveCount(0);
});
