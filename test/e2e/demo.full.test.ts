import { countInvoices } from "../../src/features/invoices/web/fixtures/uploads.ts";
import { expect, test } from "./product.ts";
import { printedSheets } from "./support/printed.ts";
import { openPath } from "./support/visit.ts";
import { openUpload, uploadButton, uploadSample } from "./support/workbooks.ts";

test("DM-02 (its steps and the reset) DM-03 the first steps check themselves off, can be hidden for the session, and come back with a reset", async ({
  product,
  openAs,
}) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByText("1 of 4 done")).toBeVisible();
  await uploadSample(page, "with-mistakes");
  await expect(steps.getByText("2 of 4 done")).toBeVisible();
  await uploadSample(page, "large", "other.xlsx");
  await expect(page.getByRole("article", { name: "other.xlsx" }).getByText("Posted").first()).toBeVisible();
  await expect(steps.getByText("2 of 4 done")).toBeVisible();
  await uploadSample(page, "good", "fix-with-mistakes.xlsx");
  await expect(steps.getByText("3 of 4 done")).toBeVisible();
  await expect(steps.getByRole("listitem").nth(2)).toHaveText(/Correct its problem rows.* done/);
  await steps.getByRole("link", { name: "Open QuickBooks" }).click();
  await expect(page).toHaveURL(new RegExp(`^${product.intuitUrl}`));
  await page.goBack();
  await expect(steps.getByText("4 of 4 done")).toBeVisible();

  await steps.getByRole("button", { name: "Reset demo data" }).click();
  await expect(steps.getByRole("button", { name: "Keep it" })).toBeFocused();
  await steps.getByRole("button", { name: "Reset now" }).click();
  await expect(page.getByText("No recent uploads to this company.")).toBeVisible();
  await expect(page.getByText(/^You are connected to Acme Tools/)).toBeVisible();
  await uploadSample(page, "good");
  await expect(page.getByText(/12 invoices posted/).first()).toBeVisible();

  await steps.getByRole("button", { name: "Hide first steps" }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("region", { name: "Results" })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test("at 1280×800 the drop zone, the main action and the latest outcome are above the fold, and the first steps come last", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await page.setViewportSize({ width: 1280, height: 800 });
  await openPath(page, "/app/");
  await uploadSample(page, "good", "fold.xlsx");
  const latest = page.getByRole("article", { name: "fold.xlsx" }).getByRole("heading");
  await expect(latest).toBeVisible();
  await openPath(page, "/app/");
  for (const part of [page.getByText("Drop your spreadsheet here"), uploadButton(page), latest])
    await expect(part).toBeInViewport({ ratio: 1 });
  const top = async (name: string) =>
    (await page.getByRole("region", { name, exact: true }).boundingBox())?.y ?? 0;
  expect(await top("First steps")).toBeGreaterThan(await top("Results"));
});

test("DM-02 (its personas) at 375 px each user of the simulated sign-in has their name on one line, even next to a note", async ({
  openAs,
}) => {
  const page = await openAs("guest");
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto("/login/");
  for (const name of ["Olive Owner", "Una Unverified"]) {
    const shown = page.getByText(name, { exact: true });
    await expect(shown).toBeVisible();
    expect((await shown.boundingBox())?.height).toBeLessThan(32);
  }
});

test("DM-03 every sample is one click away", async ({ openAs }) => {
  const page = await openAs("owner");
  await openPath(page, "/app/");
  for (const name of ["clean", "with errors", "2,000 rows"]) {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name, exact: true }).click();
    expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
  }
});

test("PR-02 the printed Upload page has its complete results and nothing else", async ({ openAs }) => {
  const page = await openAs("platform");
  const results = Array.from({ length: 1_000 }, (_, index) => ({
    rows: String(index + 2),
    status: 0,
    message: `Invoice ${index} created.`,
  }));
  const upload = {
    id: "0199f000-0000-7000-8000-000000000001",
    filename: "march.xlsx",
    timestamp: "2027-03-03T15:42:00.000Z",
    results,
    result_count: 1_000,
    counts: { total: 1_000, completed: 1_000, problems: 0, open: 0 },
    invoices: countInvoices({ total: 1_000, completed: 1_000, problems: 0, open: 0 }),
    uploaded_by: "Olive Owner",
    fixes: [],
  };
  await page.route("**/api/v1/invoices?*", (route) =>
    route.fulfill({ json: { uploads: [upload], total_count: 33, in_process: false } }),
  );
  await openPath(page, "/app/");
  await openUpload(page);
  await expect(page.getByText("Invoice 0 created.")).toBeVisible();
  await expect(page.getByText("Invoice 999 created.")).toHaveCount(0);
  const words = (await printedSheets(page)).join(" ");
  // Check marks come from any font of the machine that has them.
  const row = /(\d+) (?:\S )?Completed Invoice (\d+) created\./g;
  expect([...words.matchAll(row)].map(([, rows, invoice]) => [rows, invoice])).toEqual(
    results.map(({ rows }, index) => [rows, String(index)]),
  );
  // Boxes with a round edge are drawn after what is in their rows.
  const otherWords = words
    .replaceAll(row, "")
    .match(/\S*\w\S*/g)
    ?.toSorted()
    .join(" ");
  const expected =
    "Dockside Upload Results march.xlsx Mar 3, 2027, 7:42 AM PST Olive Owner 1,000 of 1,000 $1,000.00 Posted Rows Status Message Showing 1 of 33";
  expect(otherWords).toBe(expected.split(" ").toSorted().join(" "));

  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("row").nth(1)).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
});
