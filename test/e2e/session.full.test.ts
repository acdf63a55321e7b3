import { labelWorkbook } from "../support/labels.ts";
import { expect, test } from "./product.ts";
import { chooseOnConsentPage, endSessionAtNextChange, openPath } from "./support/visit.ts";
import { choose, uploadButton, workbook, XLSX } from "./support/workbooks.ts";

test.describe.configure({ mode: "parallel" });

test("FR-42 a file that the browser hasn't stored yet is not reported as still selected", async ({
  page,
  signIn,
}) => {
  // As between choosing a file and the end of its write, which here never comes.
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await signIn(page, "Olive Owner");
  await openPath(page, "/app/");
  await choose(page, "unstored.xlsx", await workbook(["FR-42-2"]));
  await endSessionAtNextChange(page);
  await uploadButton(page).click();
  const main = page.getByRole("main");
  await expect(main).toContainText("Your last change wasn't sent.");
  await expect(main).not.toContainText("unstored.xlsx");
});

test("FR-42 (of labels) the chosen file and its corrections survive a reload, and signing in again", async ({
  page,
  signIn,
}) => {
  await signIn(page, "Olive Owner");
  await openPath(page, "/label/");
  await page.getByLabel("Label upload file").setInputFiles({
    name: "kept.xlsx",
    mimeType: XLSX,
    buffer: Buffer.from(await labelWorkbook([{ "Ship To Name": "" }, { "Ship To Name": "" }])),
  });
  const upload = page.getByRole("button", { name: "Upload", exact: true });
  const name = (row: number) => page.getByRole("textbox", { name: `Ship To Name of Row ${row}` });
  await upload.click();
  await name(2).fill("Hearth East");
  await name(2).press("Enter");
  await expect(page.getByRole("button", { name: "1 correction" })).toBeVisible();

  await page.reload();
  await expect(page.getByText("kept.xlsx", { exact: true })).toBeVisible();
  await endSessionAtNextChange(page);
  await upload.click();
  const main = page.getByRole("main");
  await expect(main).toContainText("Your last change wasn't sent. kept.xlsx is still selected.");
  await main.getByRole("link", { name: "Sign in with Intuit" }).click();
  await chooseOnConsentPage(page, { user: "Olive Owner" });
  await upload.click();
  await expect(page.getByRole("button", { name: "1 correction" })).toBeVisible();
  await expect(name(2)).toHaveCount(0);
  await name(3).fill("Hearth West");
  await name(3).press("Enter");
  await page.getByRole("button", { name: "Make 2 labels" }).click();
  await expect(page.getByRole("region", { name: "2 labels from kept.xlsx" })).toBeVisible();
  // The sent file is no longer kept.
  await page.reload();
  await expect(page.getByText("No file chosen")).toBeVisible();
});

test("FR-42 a correction in the review that was held back by the end of the session is sent after signing in, as is one typed offline", async ({
  page,
  signIn,
}) => {
  await signIn(page, "Olive Owner");
  await openPath(page, "/app/");
  await choose(page, "days.xlsx", await workbook(["SE-1", "SE-2"], "Cool Cars", "31/02/2026"));
  await page.getByRole("button", { name: "Review" }).click();
  const day = (number: string) => page.getByRole("textbox", { name: `Invoice Date of ${number}` });
  await expect(day("SE-2")).toBeVisible();
  await endSessionAtNextChange(page);
  await day("SE-1").fill("2/27/2026");
  await day("SE-1").press("Enter");
  const main = page.getByRole("main");
  await expect(main).toContainText("Your file, answers, and corrections are still here.");
  await main.getByRole("link", { name: "Sign in with Intuit" }).click();
  await chooseOnConsentPage(page, { user: "Olive Owner" });
  await expect(page.getByRole("button", { name: /^Post 1 invoice / })).toBeVisible();

  await page.context().setOffline(true);
  await day("SE-2").fill("2/28/2026");
  await day("SE-2").press("Enter");
  await expect(page.getByText("You're offline.").first()).toBeVisible();
  await expect(page.getByRole("alert").getByText("Network Error").first()).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole("button", { name: /^Post 2 invoices / })).toBeVisible();
});

test("RL-02 RL-03 Settings shows the companies to every member; users and settings reach only the admin's browser", async ({
  openAs,
}) => {
  for (const [who, sees] of [
    ["owner", true],
    ["clerk", false],
  ] as const) {
    const page = await openAs(who);
    const asking = page.waitForResponse((response) => response.url().endsWith("/api/v1/company"));
    await openPath(page, "/settings/");
    await expect(page.getByRole("radio", { name: "Acme Tools" })).toBeVisible();
    const { companies } = (await (await asking).json()) as { companies: { name: string }[] };
    const acme = companies.find(({ name }) => name === "Acme Tools") ?? {};
    expect("authorized_users" in acme, who).toBe(sees);
    expect("settings" in acme, who).toBe(sees);
    expect(acme).toHaveProperty("services");
  }
});

test("CO-02 CO-04 a stored realm that is the word null or unknown is replaced by the first company's", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  for (const value of ["null", "999"]) {
    await page.evaluate((realm) => localStorage.setItem("realmId", realm), value);
    await page.reload();
    await expect(page.getByText(/^You are connected to Acme Tools/)).toBeVisible();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("realmId"))).toBe("9130357849016936");
  }
});

test("CO-02 CO-06 a user without a company has no stored realm in the browser", async ({ openAs }) => {
  const page = await openAs("nocompany");
  await page.addInitScript(() => localStorage.setItem("realmId", "9130357849016936"));
  await openPath(page, "/app/");
  await expect(page.getByText("You have no active company connections.")).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("realmId"))).toBeNull();
});

test("going back after signing out leads to sign-in, and shows nothing from before", async ({
  page,
  signIn,
}) => {
  await signIn(page, "Olive Owner");
  await openPath(page, "/settings/");
  await expect(page.getByRole("radio", { name: "Acme Tools" })).toBeChecked();
  await page.getByRole("link", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/\?signed_out=1$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/settings\/$/);
  const main = page.getByRole("main");
  await expect(main.getByText("You must sign in with Intuit to access the app.")).toBeVisible();
  await expect(page.getByText("Acme Tools")).toHaveCount(0);
});
