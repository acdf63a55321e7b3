import { expect, test } from "./product.ts";
import { expectNoBarrier } from "./support/barriers.ts";
import { openPath } from "./support/visit.ts";

test("AM-01 AM-02 OP-14 operators see health and runs, and retry a waiting run with a reason", async ({
  openAs,
}) => {
  const page = await openAs("platform");
  await openPath(page, "/controller/");
  const health = page.getByRole("region", { name: "Health" });
  await expect(health).toContainText(/\d+ queued, \d+ working, \d+ waiting/);
  await expect(health).toContainText("metered reads this month");
  await expect(health).toContainText(/\d GB free/);
  const run = page.getByRole("article").filter({ hasText: "system.sweep" });
  await expect(run).toContainText("Waiting: scheduled");
  await expectNoBarrier(page, "Admin");
  await run.getByLabel("Reason, for the audit trail").fill("To free space");
  await run.getByRole("button", { name: "Retry now" }).click();
  await expect(run.getByLabel("Reason, for the audit trail")).toHaveValue("");
});
