import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";
import { picker, slowLine, uploadButton, withPicture, workbook } from "./support/workbooks.ts";

test.skip(process.platform !== "linux", "The memory of another process is read from Linux's /proc.");

const MIB = 1024 * 1024;

test("PF-06 a workbook of 25 MB is uploaded without staying in the tab's memory", async ({
  openAs,
  browser,
}, info) => {
  const page = await openAs("owner");
  const file = info.outputPath("large.xlsx");
  await writeFile(file, withPicture(await workbook([`PF-06-${randomBytes(4).toString("hex")}`]), 24 * MIB));
  expect((await readFile(file)).length).toBeGreaterThan(24 * MIB);
  await openPath(page, "/app/");
  // A first upload loads the page's own parts, which stay.
  const small = info.outputPath("small.xlsx");
  await writeFile(small, await workbook([`PF-06-${randomBytes(4).toString("hex")}`]));
  await picker(page).setInputFiles(small);
  await uploadButton(page).click();
  await expect(page.getByRole("article", { name: "small.xlsx" })).toBeVisible();
  await slowLine(page, { upload: 8 * MIB });
  const memory = await watchMemory(browser, page);
  const before = await memory();
  let isSent = false;
  page.on("response", (response) => {
    if (response.request().method() === "POST" && response.url().includes("/invoices?")) isSent = true;
  });
  await picker(page).setInputFiles(file);
  await uploadButton(page).click();
  let most = 0;
  while (!isSent) most = Math.max(most, await memory());
  await expect(page.getByRole("article", { name: "large.xlsx" })).toBeVisible();
  expect(most - before).toBeLessThan(10 * MIB);
});

/**
 * Memory that the tab's process has for itself: bytes a script keeps, in its heap or outside it, are in there.
 * Garbage is collected first.
 */
async function watchMemory(browser: Browser, page: Page): Promise<() => Promise<number>> {
  const tab = await page.context().newCDPSession(page);
  const all = await browser.newBrowserCDPSession();
  return async () => {
    await tab.send("HeapProfiler.collectGarbage");
    const { processInfo } = await all.send("SystemInfo.getProcessInfo");
    const sizes = await Promise.all(
      processInfo.filter(({ type }) => type === "renderer").map(({ id }) => readPrivateBytes(id)),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  };
}

async function readPrivateBytes(pid: number): Promise<number> {
  // A renderer may have ended since it was listed.
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Private_Dirty:\s+(\d+)/m.exec(text)?.[1] ?? 0) * 1024;
}
