import { randomBytes } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { unzipSync, zipSync } from "fflate";
import { writeWorkbook } from "../../../src/formats/xlsx/write-workbook.ts";

export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** A workbook of one row for each invoice number, in the template's columns. */
export async function workbook(numbers: readonly string[], customer = "Cool Cars"): Promise<Buffer> {
  const headers = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"];
  const rows = numbers.map((number) => [number, customer, "2026-11-20", "H-16", 5]);
  return Buffer.from(
    await writeWorkbook([{ name: "Invoices", columns: headers.map((header) => ({ header })), rows }]),
  );
}

/** The same workbook with a picture of so many bytes in it, which makes it slow to send. */
export function withPicture(bytes: Buffer, sizeBytes: number): Buffer {
  const parts = unzipSync(bytes);
  return Buffer.from(zipSync({ ...parts, "xl/media/image1.png": randomBytes(sizeBytes) }, { level: 0 }));
}

export const picker = (page: Page): Locator => page.getByLabel("Spreadsheet to upload");

export const uploadButton = (page: Page): Locator =>
  page.getByRole("button", { name: "Upload", exact: true });

/** Chooses a file as a person does by the system's dialog. */
export const choose = (page: Page, name: string, buffer: Buffer, mimeType = XLSX): Promise<void> =>
  picker(page).setInputFiles({ name, mimeType, buffer });

/** Slows the line of a page: bytes a second upwards, and milliseconds before an answer begins. */
export async function slowLine(page: Page, line: { upload: number; latencyMs?: number }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: line.latencyMs ?? 0,
    downloadThroughput: -1,
    uploadThroughput: line.upload,
  });
}
