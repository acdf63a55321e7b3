import { randomBytes } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { unzipSync, zipSync } from "fflate";
import { writeWorkbook } from "../../../src/formats/xlsx/write-workbook.ts";

export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** A workbook of one row for each invoice number, in the template's columns. */
export async function workbook(
  numbers: readonly string[],
  customer = "Cool Cars",
  date = "2026-11-20",
): Promise<Buffer> {
  const headers = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"];
  const rows = numbers.map((number) => [number, customer, date, "H-16", 5]);
  return Buffer.from(
    await writeWorkbook([{ name: "Invoices", columns: headers.map((header) => ({ header })), rows }]),
  );
}

/** A workbook of an invoice without a number for each of these days of November. */
export async function unnumbered(days: readonly number[]): Promise<Buffer> {
  const headers = ["Customer", "Invoice Date", "Item", "Amount"];
  const rows = days.map((day) => ["Cool Cars", `2026-11-${day}`, "H-16", day]);
  return Buffer.from(
    await writeWorkbook([{ name: "Invoices", columns: headers.map((header) => ({ header })), rows }]),
  );
}

/** The same workbook with a picture of `sizeBytes` in it, which makes it slow to send. */
export function withPicture(bytes: Buffer, sizeBytes: number): Buffer {
  const parts = unzipSync(bytes);
  return Buffer.from(zipSync({ ...parts, "xl/media/image1.png": randomBytes(sizeBytes) }, { level: 0 }));
}

export const picker = (page: Page): Locator => page.getByLabel("Spreadsheet to upload");

export const uploadButton = (page: Page): Locator =>
  page.getByRole("button", { name: "Upload", exact: true });

/** Chooses a file as a user does in the system's dialog. */
export const choose = (page: Page, name: string, buffer: Buffer, mimeType = XLSX): Promise<void> =>
  picker(page).setInputFiles({ name, mimeType, buffer });

/** A workbook of one row whose headers for customer and amount are unknown. */
export async function oddWorkbook(number: string): Promise<Buffer> {
  const headers = ["Invoice No", "Wer", "Invoice Date", "Item", "Wieviel"];
  const columns = headers.map((header) => ({ header, width: 14 }));
  const rows = [[number, "Cool Cars", "2026-11-20", "H-16", 5]];
  return Buffer.from(await writeWorkbook([{ name: "Sheet1", columns, rows }]));
}

type Sample = "good" | "with-mistakes" | "messy" | "large";

/** One of the sample workbooks of the demo, under a name of the test's own. */
export async function sampleFile(page: Page, sample: Sample, name = `${sample}.xlsx`) {
  const answer = await page.request.get(`/templates/samples/${sample}.xlsx`);
  return { name, mimeType: XLSX, buffer: await answer.body() };
}

/** Chooses one of the sample workbooks of the demo. */
export async function chooseSample(page: Page, sample: Sample, name?: string): Promise<void> {
  await picker(page).setInputFiles(await sampleFile(page, sample, name));
}

/** Opens an upload of the list, the newest without a name, to its results. */
export async function openUpload(page: Page, name?: string): Promise<Locator> {
  const articles = page.getByRole("article", name === undefined ? {} : { name });
  const line = articles.first().getByRole("heading").getByRole("button");
  // A receipt that arrives above the list moves it away from the pointer.
  await expect(async () => {
    if ((await line.getAttribute("aria-expanded")) === "false") await line.click();
    await expect(line).toHaveAttribute("aria-expanded", "true", { timeout: 1_000 });
  }).toPass();
  return articles.first();
}

/** Uploads one of the sample workbooks of the demo. */
export async function uploadSample(page: Page, sample: Sample, name?: string): Promise<void> {
  await chooseSample(page, sample, name);
  await uploadButton(page).click();
}

/**
 * Lets a page send, and holds every answer to it.
 * @returns a function that lets the answers come
 */
export async function holdAnswers(page: Page): Promise<() => Promise<void>> {
  const setLine = await slowLine(page, { upload: -1, latencyMs: 24 * 3_600_000 });
  return () => setLine({ upload: -1 });
}

type Line = { upload: number; latencyMs?: number };

/**
 * Slows the line of a page: bytes a second upwards, and milliseconds before an answer begins.
 * @returns a function that changes that
 */
export async function slowLine(page: Page, line: Line): Promise<(line: Line) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const setLine = async ({ upload, latencyMs = 0 }: Line) => {
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: latencyMs,
      downloadThroughput: -1,
      uploadThroughput: upload,
    });
  };
  await setLine(line);
  return setLine;
}
