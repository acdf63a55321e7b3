import { expect, test } from "./product.ts";
import { chooseOnConsentPage, endSessionAtNextChange, openPath } from "./support/visit.ts";
import { choose, openUpload, uploadButton, workbook } from "./support/workbooks.ts";

test("FR-42 FR-30 FR-31 a session that ends during an upload shows sign-in, and leads back to the page and the chosen file", async ({
  page,
  signIn,
}) => {
  await signIn(page, "Olive Owner");
  await openPath(page, "/app/?form=1");
  await openPath(page, "/app/");
  await choose(page, "march.xlsx", await workbook(["FR-42"]));
  await endSessionAtNextChange(page);
  await uploadButton(page).click();
  const main = page.getByRole("main");
  await expect(main.getByText("You must sign in with Intuit to access the app.")).toBeVisible();
  await expect(main).toContainText("Your last change wasn't sent. march.xlsx is still selected.");
  await expect(page).toHaveURL(/\/app\/$/);
  await expect(page.getByRole("region", { name: "Results" })).toHaveCount(0);
  const button = main.getByRole("link", { name: "Sign in with Intuit" });
  await expect(button).toHaveAttribute("href", "/login/?next=%2Fapp%2F");
  await button.click();
  await chooseOnConsentPage(page, { user: "Olive Owner" });
  await expect(page).toHaveURL(/\/app\/$/);
  await expect(page.getByText(/^You are connected to Acme Tools/)).toBeVisible();
  await expect(page.getByRole("article", { name: "march.xlsx" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Change file" })).toBeVisible();
  await uploadButton(page).click();
  await expect((await openUpload(page, "march.xlsx")).getByText("1 invoice posted.")).toBeVisible();
  // The sent file is no longer kept.
  await page.reload();
  await expect(page.getByRole("button", { name: "Choose spreadsheet" })).toBeVisible();
});
