import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { openPath } from "./support/visit.ts";
import { workbook, XLSX } from "./support/workbooks.ts";

const ACME = "9130357849016936";

test("OP-13 SR-06 an operator opens a company's file only under a grant, which its admin sees in Settings and ends", async ({
  product,
  openAs,
}) => {
  test.setTimeout(120_000);
  const [owner, operator] = [await openAs("owner"), await openAs("platform")];
  await owner.request.post(`${product.url}/api/v1/invoices?realm_id=${ACME}`, {
    headers: { origin: product.url },
    multipart: { file: { name: "secret.xlsx", mimeType: XLSX, buffer: await workbook(["OP13-1"]) } },
  });
  await openPath(operator, "/controller/uploads");
  const run = operator.getByRole("row").filter({ hasText: "secret.xlsx" });
  await run.getByRole("link", { name: "secret.xlsx" }).click();
  await expect(operator.getByRole("heading", { name: "secret.xlsx" })).toBeVisible();
  await expect(operator.getByText("The file and its invoices are closed")).toBeVisible();
  await expect(operator.getByText("OP13-1")).toHaveCount(0);
  await expectAccessible(operator, "a closed upload of Admin");

  await openPath(operator, "/controller/companies");
  const company = operator.getByRole("row").filter({ hasText: "Acme Tools" });
  await company.getByRole("button", { name: "Access files for 24 hours" }).click();
  const dialog = operator.getByRole("dialog", { name: "Access files for 24 hours" });
  await dialog.getByLabel("Reason, for the audit trail").fill("Ticket 7: a total is wrong");
  await dialog.getByRole("button", { name: "Access files for 24 hours" }).click();
  await expect(dialog).toHaveCount(0);
  await openPath(operator, "/controller/uploads");
  await run.getByRole("link", { name: "secret.xlsx" }).click();
  await expect(operator.getByText("What Acme Tools sees. Read-only")).toBeVisible();
  const seen = operator.getByRole("table", { name: "Invoices of the upload" });
  await expect(seen.getByRole("row").filter({ hasText: "OP13-1" })).toBeVisible();
  const download = operator.waitForEvent("download");
  await operator.getByRole("main").getByRole("button").click();
  expect((await download).suggestedFilename()).toBe("secret.xlsx");
  await expectAccessible(operator, "an opened upload of Admin");

  await openPath(owner, "/settings/data/?section=support");
  const card = owner.getByRole("region", { name: "Support access" });
  await expect(card).toContainText("Ticket 7: a total is wrong");
  await expectAccessible(owner, "Support access");
  await card.getByRole("button", { name: "End now" }).click();
  await expect(card).toContainText("Support has no access to your files.");
  await openPath(operator, "/controller/uploads");
  await run.getByRole("link", { name: "secret.xlsx" }).click();
  await expect(operator.getByText("The file and its invoices are closed")).toBeVisible();
});
