import { expect, test } from "./product.ts";
import { chooseOnConsentPage } from "./support/visit.ts";
import { picker } from "./support/workbooks.ts";

test("GEN-13 a new user signs in, connects a company, uploads the sample and finds its invoices in the books", async ({
  page,
  product,
}) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Sign in with Intuit" }).click();
  await chooseOnConsentPage(page, { user: "Nia New" });
  await expect(page.getByText("You have no active company connections.")).toBeVisible();
  await page
    .getByRole("main")
    .getByRole("link", { name: /Connect/ })
    .click();
  await page.getByRole("link", { name: "Connect to QuickBooks" }).click();
  await chooseOnConsentPage(page, { user: "Nia New", company: "Newcomer Trading" });
  await expect(page).toHaveURL(/\/app\//);
  await expect(page.getByText("Newcomer Trading is connected.").first()).toBeVisible();
  await expect(
    page.getByText("You are connected to Newcomer Trading with the Invoice Upload service."),
  ).toBeVisible();
  await expect(page.getByText("No recent uploads to this company.")).toBeVisible();
  const sample = await page.request.get("/templates/samples/good.xlsx");
  await picker(page).setInputFiles({
    name: "march.xlsx",
    mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    buffer: await sample.body(),
  });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("12 invoices posted.", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Receipt of march.xlsx" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "12 invoices posted" })).toBeVisible();
  await expect(page.getByText("Newcomer Trading is connected.")).toHaveCount(0);

  await page.goto(product.intuitUrl);
  await page
    .getByRole("link", { name: /Newcomer Trading/ })
    .first()
    .click();
  await expect(page.getByText("S-1012").first()).toBeVisible();
});
