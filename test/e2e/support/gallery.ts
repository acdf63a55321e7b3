import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { kitWords } from "#web/kit/words.ts";
import { expectAccessible } from "./barriers.ts";
import { findMisstyledHeadings } from "./headings.ts";
import { openPath } from "./visit.ts";

const BUILT = new URL("../../../dist/gallery/", import.meta.url);

/** The day of the samples. */
const SAMPLES_AT = new Date("2026-11-21T22:00:00Z");

const WIDE_LIGHT = { width: 1280, colorScheme: "light" } as const;
const NARROW_DARK = { width: 375, colorScheme: "dark" } as const;

/** Checks the states of a section: headings, barriers, its stored pictures, and that it calls no server. */
export async function expectSection({
  page,
  browser,
  name,
}: {
  page: Page;
  browser: Browser;
  name: string;
}): Promise<void> {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const same = await tolerance(browser.version(), test.info().config.updateSnapshots === "all");
  // Dates of samples are shown without their year while they are recent.
  if (name.startsWith("track")) await page.clock.setFixedTime(SAMPLES_AT);
  await openSection(page, name);
  expect(await findMisstyledHeadings(page)).toEqual([]);
  // Each width and each scheme once; the states of the undo dialog differ in their words, so one picture serves.
  const looks = name.startsWith("undo-") ? [NARROW_DARK] : [WIDE_LIGHT, NARROW_DARK];
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    if (name.startsWith("orders")) await passOver(page);
    const picture = await smallPicture(findSection(page, name), browser);
    expect.soft(picture).toMatchSnapshot(`${name}-${width}-${colorScheme}.png`, same);
  }
  // Wide, the pages themselves are checked.
  await expectAccessible(page, name, name === "kit" ? [1280, 375] : [375]);
  expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
}

/** Orders below the window get their real heights when they come near it: before the picture, not during it. */
async function passOver(page: Page): Promise<void> {
  for (const top of [1e6, 0])
    await page.evaluate(async (to) => {
      window.scrollTo(0, to);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, top);
}

/** Puts the gallery below an address of the product, which has nothing there itself. */
export async function serveGallery(page: Page): Promise<void> {
  await page.route("**/gallery/**", (route) => {
    const path = new URL(route.request().url()).pathname.replace("/gallery/", "");
    return route.fulfill({ path: fileURLToPath(new URL(path || "index.html", BUILT)) });
  });
}

/** Opens a section of the gallery and waits for all its parts. */
export async function openSection(page: Page, name: string): Promise<void> {
  await serveGallery(page);
  await openPath(page, `/gallery/?section=${name}`);
  const section = page.locator(`[data-section="${name}"]`);
  await section.waitFor({ state: "attached" });
  await expect(findSection(page, name)).not.toBeEmpty();
  await expect(page.locator("[data-loading]")).toHaveCount(0);
  // An opened part of a section may be loaded by itself; its spinner comes a moment later.
  await spinnersShown(page);
  await expect(page.getByRole("progressbar", { name: kitWords.loadingPage })).toHaveCount(0);
}

/** Busy parts show it, except the top bar, which is empty until the user is known. */
const spinnersShown = (page: Page) =>
  expect(page.locator("main [aria-busy=true]:not(header, :has([role=progressbar])):visible")).toHaveCount(0);

/** The visible part of a section: its own part of the page, or the dialog above it. */
export function findSection(page: Page, name: string): Locator {
  return /^(dialog|undo-)/.test(name) ? page.getByRole("dialog") : page.locator(`[data-section="${name}"]`);
}

/** Which release of Chromium drew the stored pictures; rewritten with them. */
const DRAWN_BY = new URL("../pictures/drawn-by.txt", import.meta.url);

/** How much a picture may differ: next to nothing in the release that drew it, letters' edges in another one. */
export async function tolerance(release: string, isRenewing: boolean) {
  const [major = ""] = release.split(".");
  if (isRenewing) {
    await mkdir(new URL(".", DRAWN_BY), { recursive: true });
    await writeFile(DRAWN_BY, `${major}\n`);
  }
  return (await readFile(DRAWN_BY, "utf8")).trim() === major
    ? { threshold: 0.02, maxDiffPixels: 40 }
    : { threshold: 0.2, maxDiffPixelRatio: 0.02 };
}

/** Scale at which pictures are compared: a letter's edge, which each browser release draws differently, counts little. */
const SCALE = 0.3;

/** The page of each browser that draws pictures smaller. */
const desks = new Map<Browser, Promise<Page>>();

/** A picture of what does not move any more, drawn smaller by a page beside it. */
export async function smallPicture(shown: Locator, browser: Browser): Promise<Buffer> {
  const page = shown.page();
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await page.evaluate(() => document.fonts.ready);
  // A spinner appears a moment after its cause.
  await spinnersShown(page);
  const png = (await shown.screenshot({ animations: "disabled" })).toString("base64");
  const desk = desks.get(browser) ?? browser.newPage();
  desks.set(browser, desk);
  const small = await (
    await desk
  ).evaluate(
    async ({ png: full, scale }) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${full}`)).blob());
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(image.width * scale);
      canvas.height = Math.round(image.height * scale);
      const pen = canvas.getContext("2d");
      if (!pen) throw new Error("The browser cannot draw.");
      pen.imageSmoothingQuality = "high";
      pen.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/png").replace(/^.*,/, "");
    },
    { png, scale: SCALE },
  );
  return Buffer.from(small, "base64");
}
