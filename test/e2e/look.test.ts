import { readFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { openPath, type Who } from "./support/visit.ts";

test.describe.configure({ mode: "parallel" });

const styleOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

test("TH-02 TH-07 TH-08 TH-09 TH-17 the specified colour, font and sizes are on the screen, and hover stays readable", async ({
  openAs,
}) => {
  const page = await openAs("guest", { colorScheme: "light" });
  await openPath(page, "/");
  const button = page.getByRole("link", { name: "Get Started" });
  await expect(button).toHaveCSS("background-color", "rgb(242, 104, 44)");
  await expect(button).toHaveCSS("font-size", "19px");
  await expect(button).toHaveCSS("font-weight", "700");
  expect(await styleOf(page, "body", "font-family")).toBe("Lato, Roboto, Helvetica, Arial, sans-serif");
  expect(await styleOf(page, "h1", "font-size")).toBe("32px");
  expect(await styleOf(page, "h1", "font-weight")).toBe("800");
  expect(await styleOf(page, "h2", "font-size")).toBe("28.8px");
  await button.hover();
  await expect(button).toHaveCSS("background-color", "rgb(217, 83, 26)");
});

test("TH-19 dark follows the system, can be chosen, is there at once after a reload, and without a flash", async ({
  openAs,
}) => {
  const page = await openAs("guest", { colorScheme: "dark" });
  await openPath(page, "/contact/");
  const scheme = () => page.evaluate(() => document.documentElement.getAttribute("data-color-scheme"));
  expect(await scheme()).toBe("dark");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(18, 18, 18)");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("Light");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(245, 245, 245)");
  await page.reload({ waitUntil: "commit" });
  await expect.poll(scheme).toBe("light");
  await expect(page.getByRole("combobox", { name: "Theme" })).toHaveValue("light");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("System");
  await expect.poll(scheme).toBe("dark");
});

test("TH-20 with forced colours the controls keep their borders and the focus its ring", async ({
  openAs,
}) => {
  const page = await openAs("owner", { forcedColors: "active" });
  await openPath(page, "/gallery/");
  for (const name of ["Filled", "Green", "Outlined"]) {
    const button = page.getByRole("button", { name, exact: true });
    await expect(button).toHaveCSS("border-top-style", "solid");
    await button.focus();
  }
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).toBe("solid");
});

test("TH-21 the font comes from here, and the page shows its text before it", async ({ page, product }) => {
  const fonts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "font") fonts.push(request.url());
  });
  await page.route(/\.woff2$/, () => undefined);
  await page.goto("/contact/", { waitUntil: "commit" });
  await expect(page.locator("h1")).toBeVisible();
  expect(fonts.length).toBeGreaterThan(0);
  expect(fonts.filter((url) => !url.startsWith(product.url))).toEqual([]);
  const shown = await page.evaluate(() => [...document.fonts].map(({ display }) => display));
  expect(new Set(shown)).toEqual(new Set(["swap"]));
});

const WALKS: readonly [Who, string, readonly string[]][] = [
  ["guest", "/", ["Get Started", "Sign in with Intuit", "License"]],
  ["owner", "/app/", ["Choose spreadsheet", "Download template", "Reset demo data"]],
  ["owner", "/settings/", ["Add New Company", "Disconnect Acme Tools"]],
  ["owner", "/disconnect/", ["Disconnect Acme Tools", "Keep connected"]],
  ["owner", "/contact/", ["Send"]],
  ["guest", "/get-app/", ["Connect to QuickBooks", "What happens to my data?"]],
  ["guest", "/privacy-policy/", ["What is kept"]],
  ["guest", "/login/failed?reason=expired&support_id=r1", ["Try again", "Home", "Copy"]],
];

for (const [who, path, stops] of WALKS) {
  test(`AY-02 TH-22 at ${path} the keyboard reaches everything in reading order, with its ring in sight, and gets out again`, async ({
    openAs,
  }) => {
    const page = await openAs(who, { reducedMotion: "reduce" });
    await openPath(page, path);
    const walked = await walk(page);
    const names = walked.map(({ name }) => name);
    expect(names[0]).toBe("Skip to main content");
    for (const stop of [...stops, "Privacy"]) expect(names).toContain(stop);
    expect(walked.filter(({ ring }) => !ring)).toEqual([]);
    const inMain = walked.filter(({ main }) => main).map(({ order }) => order);
    expect(inMain).toEqual(inMain.toSorted((one, other) => one - other));
  });
}

test("AY-02 uploading by keyboard alone: choose, send, read the problems", async ({ openAs }) => {
  const page = await openAs("platform");
  await openPath(page, "/app/");
  const sample = await page.request.get("/templates/samples/with-mistakes.xlsx");
  await tabTo(page, "Choose spreadsheet");
  const chooser = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  await (
    await chooser
  ).setFiles({
    name: "mistakes.xlsx",
    mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    buffer: await sample.body(),
  });
  await tabTo(page, "Upload");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/[1-9]\d* problems$/).first()).toBeVisible({ timeout: 30_000 });
  await expect(page.locator("[aria-live=polite]")).toHaveText(/problems$/);
  await tabTo(page, "Download problem rows of mistakes.xlsx");
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  expect((await download).suggestedFilename()).toMatch(/\.xlsx$/);
});

test("AY-04 targets are at least 24 px each way, the main ones 44 px high", async ({ openAs }) => {
  const page = await openAs("owner");
  for (const path of ["/", "/app/", "/settings/", "/gallery/", "/contact/", "/privacy-policy/"]) {
    await openPath(page, path);
    const targets = await page
      .locator("a, button, input:not([type=file]), select, textarea")
      .evaluateAll((all) =>
        all
          .filter((target) => target.checkVisibility() && !target.closest("p, li"))
          .map((target) => ({
            name: target.textContent || target.getAttribute("aria-label") || target.tagName,
            box: (target.closest("label") ?? target).getBoundingClientRect().toJSON() as DOMRect,
          })),
      );
    const small = targets.filter(({ box }) => box.height < 24 || box.width < 24);
    expect(
      small.map(({ name }) => name),
      path,
    ).toEqual([]);
    for (const { name, box } of targets.filter(({ name: of }) => /^(Upload|Get Started|Send)$/.test(of)))
      expect(box.height, name).toBeGreaterThanOrEqual(44);
  }
});

test("AY-05 AY-06 at 320 px, and with wide letter, word and line spacing, nothing is cut and nothing lies beside the screen", async ({
  openAs,
}) => {
  const page = await openAs("owner", { viewport: { width: 320, height: 700 } });
  for (const path of [
    "/",
    "/app/",
    "/settings/",
    "/add-in/",
    "/contact/",
    "/disconnect/",
    "/privacy-policy/",
  ]) {
    await openPath(page, path);
    await expectFits(page, path);
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }",
      );
      document.adoptedStyleSheets = [sheet];
    });
    await expectFits(page, `${path} with spacing`);
  }
});

test("AY-09 nothing moves when the system asks for rest", async ({ openAs }) => {
  const page = await openAs("owner", { reducedMotion: "reduce" });
  await openPath(page, "/gallery/");
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
      .filter((animation) => !(animation.effect as KeyframeEffect).target?.closest("[role=progressbar]"))
      .map((animation) => (animation.effect as KeyframeEffect).target?.outerHTML.slice(0, 100)),
  );
  expect(moving).toEqual([]);
});

test("PF-01 the landing page needs at most 160 kB of script, every other page at most 40 kB more", async () => {
  const built = new URL("../../dist/web/", import.meta.url);
  const pages = JSON.parse(await readFile(new URL(".vite/pages.json", built), "utf8")) as Record<
    string,
    { scripts: string[] }
  >;
  const shell = await readFile(new URL("index.html", built), "utf8");
  const kbOf = async (file: string) =>
    brotliCompressSync(await readFile(new URL(file, built))).length / 1_000;
  const sum = async (files: readonly string[]) =>
    (await Promise.all(files.map(kbOf))).reduce((total, kb) => total + kb, 0);
  const shellFiles = [...shell.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(
    ([, file = ""]) => file,
  );
  expect((await sum(shellFiles)) + (await sum(pages["/"]?.scripts ?? []))).toBeLessThanOrEqual(160);
  for (const [path, { scripts }] of Object.entries(pages))
    expect(await sum(scripts), path).toBeLessThanOrEqual(40);
});

test("IN-01 times are written as the browser's language has them", async ({ openAs }) => {
  for (const [locale, pattern] of [
    ["en-US", /[AP]M/],
    ["de-DE", /\d\d\.\d\d\.\d{4}/],
  ] as const) {
    const page = await openAs("owner", { locale });
    await page.route("**/api/v1/invoices?*", (route) =>
      route.fulfill({
        json: {
          uploads: [
            {
              id: "0199f000-0000-7000-8000-000000000001",
              filename: "march.xlsx",
              timestamp: "2027-03-03T15:42:00.000Z",
              results: [{ rows: "2-1001", status: 0, message: "1,000 invoices created." }],
              result_count: 1,
              counts: { total: 1000, completed: 1000, problems: 0, open: 0 },
            },
          ],
          total_count: 1,
          in_process: false,
        },
      }),
    );
    await openPath(page, "/app/");
    await expect(page.getByRole("article").locator("time")).toHaveText(pattern);
  }
});

type Stop = { name: string; ring: boolean; main: boolean; order: number };

/** Tabs once round the page. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let count = 0; count < 80; count += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return {
        name: element.getAttribute("aria-label") ?? (element.textContent || element.id),
        ring: outlineStyle === "solid" && outlineWidth === "3px" && element.checkVisibility(),
        main: element.closest("main") !== null,
        order: [...document.querySelectorAll("*")].indexOf(element),
      };
    });
    if (!stop) break;
    stops.push(stop);
  }
  return stops;
}

async function tabTo(page: Page, name: string) {
  const target = page.getByRole("button", { name, exact: true });
  for (let count = 0; count < 80; count += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${name}.`);
}

async function expectFits(page: Page, what: string) {
  const cut = await page.evaluate(() => ({
    beside: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    hidden: [...document.querySelectorAll<HTMLElement>("main *, footer *")]
      .filter((element) => getComputedStyle(element).overflow === "hidden" && element.offsetWidth > 1)
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => element.textContent),
  }));
  expect(cut, what).toEqual({ beside: 0, hidden: [] });
}
