import type { Page } from "@playwright/test";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { labelWorkbook, type LabelCells } from "../../support/labels.ts";
import { expect } from "../product.ts";

export async function choose(page: Page, rows: readonly LabelCells[], name = "week12.xlsx") {
  const buffer = Buffer.from(await labelWorkbook(rows));
  await page.getByLabel("Label upload file").setInputFiles({ name, mimeType: XLSX_MEDIA_TYPE, buffer });
  await expect(page.getByText(name)).toBeVisible();
}

export const upload = (page: Page) => page.getByRole("button", { name: "Upload", exact: true });
