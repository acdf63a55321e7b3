import { layouts } from "#features/invoices/workbook/layouts/layouts.ts";
import { makeLayoutSheet } from "../../corpus/layout-sheets.ts";
import { expect, test } from "../product.ts";
import { openPath } from "../support/visit.ts";
import { choose } from "../support/workbooks.ts";

/** Clicks to choose a file: the button, and in the system's dialog the file and Open. */
const TO_CHOOSE = 3;

/** Names of the demo's books, where an export has its own; numbers and days of each export's own. */
function forDemo({ bytes }: { bytes: Buffer }, at: number): Buffer {
  const names = {
    Oak: "John",
    Anchor: "Melton",
    "Tape Measure": "Safety Glasses",
    "Wood Glue": "Utility Knife",
  };
  const text = Object.entries({ ...names, "Design work": "Consulting" }).reduce(
    (sum, [before, after]) => sum.replaceAll(before, after),
    bytes.toString(),
  );
  const number = (digits: string) => String(3_000 + at * 100 + Number(digits));
  return Buffer.from(
    text
      .replaceAll(/(?<![\d.])21(\d\d)(?![\d.])/g, (_, digits: string) => number(digits))
      .replaceAll("2026-10-", `2026-0${1 + (at % 9)}-`),
  );
}

for (const [at, { name, title }] of layouts.entries())
  test(`SH-08 a ${title}, which was never seen, is posted with its right total in six clicks`, async ({
    openAs,
  }) => {
    const page = await openAs("owner");
    const sheet = makeLayoutSheet(name);
    let clicks = TO_CHOOSE;
    const click = async (label: string | RegExp) => {
      clicks += 1;
      await page.getByRole("button", { name: label }).click();
    };
    await openPath(page, "/app/");
    await choose(page, sheet.fileName, forDemo(sheet, at), "text/csv");
    await click("Review");
    await expect(page.getByText(`This looks like a ${title}; we matched`)).toBeVisible();
    const item = page.getByRole("combobox", { name: "Which product or service should these lines use?" });
    if ((await item.count()) > 0) {
      // The one thing to type has the cursor already.
      await expect(item).toBeFocused();
      await page.keyboard.type("Consulting");
    }
    const total = (sheet.cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
    await expect(page.getByText(new RegExp(`^With these answers: .*\\${total}$`))).toBeVisible();
    await click("Save and continue");
    const post = page.getByRole("button", { name: /^Post \d+ invoices/ });
    await expect(post).toContainText(total);
    await click(/^Post \d+ invoices/);
    await expect(page.getByRole("heading", { level: 1, name: /^\d+ invoices posted$/ })).toBeVisible();
    expect(clicks).toBeLessThanOrEqual(6);
  });
