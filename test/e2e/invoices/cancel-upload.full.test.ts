import type { Page } from "@playwright/test";
import { writeWorkbook } from "../../../src/formats/xlsx/write-workbook.ts";
import { driveIntuit } from "../../support/intuit.ts";
import { expect, test } from "../product.ts";
import { expectAccessible } from "../support/barriers.ts";
import { openPath } from "../support/visit.ts";
import { choose, openUpload, uploadButton } from "../support/workbooks.ts";

// Each test slows the same books.
test.describe.configure({ mode: "serial" });

const ACME = "9130357849016936";
const COUNT = 90;
const HEADS = ["Customer", "Invoice Date", "Item", "Amount"];

/** A workbook of invoices without numbers, which are posted one by one; of another amount each. */
async function manyInvoices(cents: number): Promise<Buffer> {
  // Rows of one day would be one invoice.
  const day = (n: number) => new Date(Date.UTC(2026, 7, 1 + n)).toISOString().slice(0, 10);
  const rows = Array.from({ length: COUNT }, (_, n) => ["Cool Cars", day(n), "H-16", n + 1 + cents / 100]);
  return Buffer.from(
    await writeWorkbook([{ name: "Invoices", columns: HEADS.map((header) => ({ header })), rows }]),
  );
}

/** Numbers of posted and of unposted invoices of an upload; zeros until it is listed. */
async function readOutcomes(
  page: Page,
  name: string,
): Promise<{ posted: number; problems: number; open: number }> {
  const reply = await page.request.get(`/api/v1/invoices?realm_id=${ACME}`);
  const { uploads = [] } = (await reply.json()) as {
    uploads?: { filename: string; invoices: { posted: number; problems: number; open: number } }[];
  };
  const upload = uploads.find(({ filename }) => filename === name);
  return upload?.invoices ?? { posted: 0, problems: 0, open: 0 };
}

test("OP-10 a user cancels a working upload: what is posted stays, the rest says who canceled it, and the file posts the rest later", async ({
  product,
  openAs,
}) => {
  test.setTimeout(180_000);
  const page = await openAs("owner");
  const intuit = driveIntuit(product.intuitUrl);
  await intuit.control("faults", { fault: "latency", ms: 1_000, match: { operation: "invoice.create" } });
  try {
    await openPath(page, "/app/");
    const file = await manyInvoices(1);
    await choose(page, "canceled.xlsx", file);
    await uploadButton(page).click();
    const upload = page.getByRole("article", { name: "canceled.xlsx" });
    await expect
      .poll(async () => (await readOutcomes(page, "canceled.xlsx")).posted, { timeout: 60_000 })
      .toBeGreaterThan(2);
    await upload.getByRole("button", { name: "Cancel the upload of canceled.xlsx" }).click();
    await expect(upload).toContainText(/\d+ need fixing/, { timeout: 60_000 });
    const { posted, problems, open } = await readOutcomes(page, "canceled.xlsx");
    expect(posted).toBeGreaterThan(2);
    expect(problems).toBeGreaterThan(2);
    expect(posted + problems).toBe(COUNT);
    expect(open).toBe(0);
    await openUpload(page, "canceled.xlsx");
    await expect(upload.getByText("Not posted: canceled by owner@acme.example.").first()).toBeVisible();
    await expectAccessible(page, "a canceled upload");
    await intuit.control("faults", undefined, "DELETE");
    await choose(page, "rest.xlsx", file);
    await uploadButton(page).click();
    await expect
      .poll(async () => (await readOutcomes(page, "rest.xlsx")).posted, { timeout: 60_000 })
      .toBe(problems);
  } finally {
    await intuit.control("faults", undefined, "DELETE");
  }
});

test("OP-10 an operator cancels a working upload in Admin with a reason; its company reads who did", async ({
  product,
  openAs,
}) => {
  test.setTimeout(180_000);
  const [page, admin] = [await openAs("owner"), await openAs("platform")];
  const intuit = driveIntuit(product.intuitUrl);
  await intuit.control("faults", { fault: "latency", ms: 1_000, match: { operation: "invoice.create" } });
  try {
    await openPath(page, "/app/");
    await choose(page, "by-admin.xlsx", await manyInvoices(2));
    await uploadButton(page).click();
    await expect
      .poll(async () => (await readOutcomes(page, "by-admin.xlsx")).posted, { timeout: 60_000 })
      .toBeGreaterThan(2);
    await openPath(admin, "/controller/runs");
    const run = admin.getByRole("row").filter({ hasText: "invoices.post-upload" }).first();
    await run.getByRole("button", { name: "Cancel" }).click();
    const dialog = admin.getByRole("dialog", { name: "Cancel" });
    await dialog.getByLabel("Reason, for the audit trail").fill("They uploaded the wrong file");
    await dialog.getByRole("button", { name: "Cancel" }).first().click();
    await expect(dialog).toHaveCount(0);
    const upload = page.getByRole("article", { name: "by-admin.xlsx" });
    await expect(upload).toContainText(/\d+ need fixing/, { timeout: 60_000 });
    const { posted, problems } = await readOutcomes(page, "by-admin.xlsx");
    expect(Math.min(posted, problems)).toBeGreaterThan(2);
    expect(posted + problems).toBe(COUNT);
    await openUpload(page, "by-admin.xlsx");
    await expect(
      upload.getByText("Not posted: canceled by platform@dockside.example.").first(),
    ).toBeVisible();
    await admin.reload();
    const ended = admin.getByRole("row").filter({ hasText: "Stopped: canceled" }).first();
    await ended.getByRole("button", { name: "Timeline" }).click();
    await expect(admin.getByRole("dialog")).toContainText("requested by owner@acme.example (dockside@");
  } finally {
    await intuit.control("faults", undefined, "DELETE");
  }
});
