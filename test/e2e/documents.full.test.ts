import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { sampleLabel } from "../../gallery/sample-label.ts";
import { galleryWords } from "../../gallery/words.ts";
import { expect, test } from "./product.ts";
import { openSection } from "./support/gallery.ts";

test.describe.configure({ mode: "parallel" });

const SLIP = "/api/v1/labels/packing-slip/slip%2050%25%20%231.pdf";
const LABEL = "/api/v1/labels/ups-label/1Z999.pdf";
const PDF = { contentType: "application/pdf", body: "%PDF-1.4\n%%EOF\n" };

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const slipButton = (page: Page) => button(page, "Download Packing Slip for PO # 123");

test("DL-01 DL-05 DL-06 DL-07 (its encoding) DL-09 each document is requested once by GET and its own name, percent-encoded, and saved under that name as it was sent", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const asked: string[] = [];
  await page.route("**/api/v1/labels/**", (route) => {
    asked.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
    return route.fulfill(PDF);
  });
  await openSection(page, "kit");
  for (const [name, file] of [
    ["Download Packing Slip for PO # 123", "slip 50% #1.pdf"],
    ["Download UPS Label for PO # 123", "1Z999.pdf"],
  ] as const) {
    await expect(button(page, name)).toHaveText(/^Download (Packing Slip|UPS Label)/);
    const saving = page.waitForEvent("download");
    await button(page, name).click();
    expect((await saving).suggestedFilename()).toBe(file);
    expect(await readFile(await (await saving).path(), "utf8")).toBe(PDF.body);
  }
  expect(asked).toEqual([`GET ${SLIP}`, `GET ${LABEL}`]);
});

test("DL-02 while a document loads the button spins, keeps its width and focus, and sends one request", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  let asked = 0;
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/v1/labels/**", async (route) => {
    asked += 1;
    await held;
    await route.fulfill(PDF);
  });
  await openSection(page, "kit");
  const width = (await slipButton(page).boundingBox())?.width;
  await slipButton(page).focus();
  await page.keyboard.press("Enter");
  await expect(slipButton(page).locator("svg")).toBeVisible();
  await expect(slipButton(page)).toHaveAttribute("aria-busy", "true");
  expect((await slipButton(page).boundingBox())?.width).toBe(width);
  await page.keyboard.press("Enter");
  await expect(slipButton(page)).toBeFocused();
  const saving = page.waitForEvent("download");
  answer();
  await saving;
  await expect(slipButton(page).locator("svg")).toHaveCount(0);
  await expect(slipButton(page)).toHaveAttribute("aria-busy", "false");
  expect(asked).toBe(1);
});

test("DL-03 DL-08 ER-10 a failure is shown beside the button, which works again", async ({ openAs }) => {
  const page = await openAs("owner");
  let isGone = true;
  await page.route("**/api/v1/labels/**", (route) =>
    isGone
      ? route.fulfill({ status: 404, json: { detail: "This packing slip is gone." } })
      : route.fulfill(PDF),
  );
  await openSection(page, "kit");
  await slipButton(page).click();
  const message = page.getByRole("alert").filter({ hasText: "This packing slip is gone." });
  await expect(message).toHaveText("This packing slip is gone.");
  const [at, beside] = [await slipButton(page).boundingBox(), await message.boundingBox()];
  expect(beside!.x).toBeGreaterThanOrEqual(at!.x + at!.width);
  expect(Math.abs(beside!.y + beside!.height / 2 - (at!.y + at!.height / 2))).toBeLessThan(4);
  isGone = false;
  const saving = page.waitForEvent("download");
  await slipButton(page).click();
  await saving;
  await expect(message).toHaveCount(0);
});

test("PR-01 printing passes the document itself to the browser's print dialog", async ({ openAs }) => {
  const page = await openAs("owner");
  await openSection(page, "kit");
  const printed = await watchPrint(page);
  await button(page, "Print the label of PO # 123").click();
  const label = await sampleLabel(galleryWords.sample.documents.printed).text();
  await expect.poll(printed).toEqual([{ type: "application/pdf", text: label }]);
  await expect(page.locator("iframe")).toHaveAttribute("src", /^blob:/);
});

test("PR-01 where the browser cannot display documents, the document opens in a new tab", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await openSection(page, "kit");
  await page.evaluate(() => Object.defineProperty(navigator, "pdfViewerEnabled", { value: false }));
  // The browser saves a file that it cannot show.
  const opened = page
    .context()
    .waitForEvent("page")
    .then(async (tab) => {
      const saved = tab.waitForEvent("download").then((download) => download.url());
      return Promise.any([tab.waitForURL(/^blob:/).then(() => tab.url()), saved]);
    });
  await button(page, "Print the label of PO # 123").click();
  expect(await opened).toMatch(/^blob:/);
  await expect(page.locator("iframe")).toHaveCount(0);

  await page.evaluate(() => (window.open = () => null));
  await button(page, "Print the label of PO # 123").click();
  await expect(page.getByRole("alert").filter({ hasText: /blocked the new tab/ })).toBeVisible();
});

/**
 * Records each print instead of asking the printer. A browser without windows has no viewer, so there the frame alone
 * shows what would be printed.
 * @returns what was printed so far: the media type in the viewer, and the document
 */
async function watchPrint(page: Page) {
  await page.evaluate(() => {
    const blobs = new Map<string, Blob>();
    const createAddress = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob: Blob) => {
      const address = createAddress(blob);
      blobs.set(address, blob);
      return address;
    };
    const hasViewer = navigator.pdfViewerEnabled;
    if (!hasViewer) {
      Object.defineProperty(navigator, "pdfViewerEnabled", { value: true });
      new MutationObserver(() => {
        document.querySelector("iframe")?.dispatchEvent(new Event("load"));
      }).observe(document.body, { childList: true });
    }
    const printed: { type: string; text: string }[] = [];
    Reflect.set(window, "printed", printed);
    const { get } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "contentWindow") ?? {};
    Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", {
      get(this: HTMLIFrameElement) {
        const viewer = get?.call(this) as Window | null;
        const blob = blobs.get(this.src);
        const print = async () => {
          const type = (hasViewer ? viewer?.document.contentType : blob?.type) ?? "";
          printed.push({ type, text: (await blob?.text()) ?? "" });
        };
        return { focus: () => viewer?.focus(), print };
      },
    });
  });
  return () => page.evaluate(() => Reflect.get(window, "printed") as { type: string; text: string }[]);
}
