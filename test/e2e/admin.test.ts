import type { UploadList } from "#features/invoices/contract.ts";
import type { Page } from "@playwright/test";
import type { Product } from "../support/run-product.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { openPath } from "./support/visit.ts";

const ACME = "9130357849016936";

test("AM-01 AM-02 OP-14 operators see health and runs, and retry a waiting run with a reason", async ({
  openAs,
}) => {
  const page = await openAs("platform");
  await openPath(page, "/controller/");
  const health = page.getByRole("table", { name: "State of each part" });
  await expect(health).toContainText(/\d+ queued, \d+ working, \d+ waiting/);
  await expect(health).toContainText("metered reads this month");
  await expect(health).toContainText(/\d GB free/);
  await expectAccessible(page, "Admin");
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Runs" }).click();
  await expect(page).toHaveURL(/\/controller\/runs$/);
  const run = page.getByRole("row").filter({ hasText: "system.sweep" });
  await expect(run).toContainText("Waiting: scheduled");
  await expectAccessible(page, "Runs of Admin");
  await run.getByRole("button", { name: "Retry now" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry now" });
  await dialog.getByLabel("Reason, for the audit trail").fill("To free space");
  await dialog.getByRole("button", { name: "Retry now" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Audit trail" }).click();
  await expect(page.getByRole("row").filter({ hasText: "admin.retry_run" })).toContainText(
    "reason: To free space",
  );
});

test("AM-02 on a narrow screen Admin's pages are chosen from a list", async ({ openAs }) => {
  const page = await openAs("platform", { viewport: { width: 375, height: 800 } });
  await openPath(page, "/controller/companies");
  await expect(page.getByRole("navigation", { name: "Admin", exact: true })).toBeHidden();
  await expect(page.getByRole("row").filter({ hasText: "Acme Tools" })).toBeVisible();
  await page.getByRole("combobox", { name: "Section" }).selectOption("users");
  await expect(page).toHaveURL(/\/controller\/users$/);
  await expect(page.getByRole("row").filter({ hasText: "owner@acme.example" })).toBeVisible();
});

/** Posts a file of invoices, as a user's own program does, and waits until that is done: Admin's lists don't follow it. */
async function post({ url }: Product, { request }: Page, { name, rows }: { name: string; rows: string }) {
  const buffer = Buffer.from(`Invoice No,Customer,Invoice Date,Item,Amount\n${rows}`);
  const uploads = `${url}/api/v1/invoices?realm_id=${ACME}`;
  const reply = await request.post(uploads, {
    headers: { origin: url },
    multipart: { file: { name, mimeType: "text/csv", buffer } },
  });
  expect(reply.ok()).toBe(true);
  const isInProcess = async () => ((await (await request.get(uploads)).json()) as UploadList).in_process;
  await expect.poll(isInProcess, { timeout: 60_000 }).toBe(false);
}

test("SR-06 an operator finds a file by a word of its name, reads what was posted of it and why the rest wasn't", async ({
  product,
  openAs,
}) => {
  const line = (number: string, customer: string) => `${number},${customer},2026-11-20,H-16,5\n`;
  const rows = `${line("SR06-1", "Cool Cars")}${line("SR06-2", "")}${line("SR06-3", "Cool Cars")}`;
  await post(product, await openAs("owner"), { name: "Acme_harvest-2026.csv", rows });
  const page = await openAs("platform");
  await openPath(page, "/controller/uploads");
  await page.getByRole("searchbox", { name: "File, company, or user" }).fill("harvest");
  await page.getByRole("button", { name: "Posted in part" }).click();
  const upload = page.getByRole("table", { name: "List of uploads" }).getByRole("row").nth(1);
  await expect(upload).toContainText("Acme_harvest-2026.csvAcme Tools");
  await expect(upload).toContainText("2 of 3 posted");
  await expect(upload).toContainText("Cells to fill in");
  await expectAccessible(page, "Uploads of Admin");
  await page.getByRole("button", { name: "Not posted" }).click();
  await expect(page.getByText(/^No results for "harvest"/)).toBeVisible();
});

test("SR-08 an operator sees 14 days as bars and as a table, and a bar opens the list of its day", async ({
  product,
  openAs,
}) => {
  const name = "Acme_today.csv";
  const rows = "SR08-1,Cool Cars,2026-11-20,H-16,5\n";
  await post(product, await openAs("owner"), { name, rows });
  const page = await openAs("platform");
  const days = page.getByRole("toolbar", { name: "Invoices posted by day" });
  const table = page.getByRole("table", { name: "Invoices posted by day, 14 days" });
  await expect(async () => {
    await openPath(page, "/controller/");
    await expect(table.getByRole("row")).toHaveCount(15);
    await expect(table.getByRole("row").last().getByRole("cell")).not.toHaveText("0");
  }).toPass();
  const today = days.getByRole("link").last();
  await today.focus();
  if ((await days.getByRole("link").count()) > 1) {
    await page.keyboard.press("ArrowLeft");
    await expect(today).not.toBeFocused();
    await page.keyboard.press("ArrowRight");
  }
  await expect(today).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/controller\/uploads\?day=\d{4}-\d\d-\d\d$/);
  const list = page.getByRole("table", { name: "List of uploads" });
  await expect(list.getByRole("row").filter({ hasText: name })).toBeVisible();
  await expect(page.getByText(/^Only \w+ \d+\./)).toBeVisible();
  await page.getByRole("link", { name: "Show all days" }).click();
  await expect(page).toHaveURL(/\/controller\/uploads$/);
  await openPath(page, "/controller/uploads?day=2020-01-01");
  await expect(page.getByText("Uploads: nothing here yet")).toBeVisible();
});
