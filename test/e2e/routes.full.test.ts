import type { Page, Request } from "@playwright/test";
import { adminWords } from "#features/admin/web/words.ts";
import { completionWords } from "#features/billing/web/words.ts";
import { carrierWords } from "#features/carrier/web/words.ts";
import { companyWords } from "#features/companies/web/words.ts";
import { sampleList, sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { labelWords } from "#features/labels/web/words.ts";
import { frameWords } from "#web/frame/words.ts";
import { homeWords } from "#web/home/words.ts";
import { kitWords } from "#web/kit/words.ts";
import { expect, test } from "./product.ts";
import { readBuild, readBuilt } from "./support/built.ts";
import { allAsked, openPath } from "./support/visit.ts";

test.describe.configure({ mode: "parallel" });

const TITLES: readonly [path: string, title: string, heading: RegExp][] = [
  ["/", "Home · Dockside", /^Dockside:/],
  ["/app", "Upload · Dockside", /^Dockside Upload$/],
  ["/add-in", "Excel Add-In · Dockside", /Excel Add-In/],
  ["/tracking", "Tracking · Dockside", /^Dockside Tracking$/],
  ["/settings", "App Settings · Dockside", /^Dockside App Settings$/],
  ["/payment-completion", "Recording Payment · Dockside", /^Recording Payment$/],
  ["/label", "Shipping Labels · Dockside", /^Dockside Shipping Labels$/],
  ["/orders", "Orders · Dockside", /^Dockside Orders$/],
  ["/ups-callback", "UPS connection · Dockside", /^UPS connection$/],
  ["/no-such-page", "Page Not Found · Dockside", /^Page Not Found$/],
];

test("RT-01 RT-02 RT-03 RT-04 RT-05 RT-06 RT-07 RT-08 RT-09 RT-10 RT-15 RT-16 every route has its page in the common frame, with or without slash, and after a reload", async ({
  openAs,
}) => {
  const page = await openAs("platform");
  for (const [path, title, heading] of TITLES) {
    for (const address of path === "/" ? [path] : [path, `${path}/?x=1`]) {
      await page.goto(address);
      await expect(page.locator("h1"), address).toHaveText(heading);
      await expect(page, address).toHaveTitle(title);
      await expect(page.getByRole("banner")).toHaveCount(1);
      await expect(page.getByRole("contentinfo")).toHaveCount(1);
      await expect(page.getByRole("main")).toHaveCount(1);
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(address);
    }
    await page.reload();
    await expect(page.locator("h1")).toHaveText(heading);
  }
});

test("RT-07 the page that UPS leads back to shows the status of the connection, and keeps nothing of its address", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await openPath(page, "/ups-callback/?code=given-by-ups&state=abc");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1, name: "UPS connection" })).toBeVisible();
  const alert = main.getByRole("alert");
  await expect(alert).toContainText("Error connecting to UPS!");
  await expect(alert).toContainText("This connection wasn't started here, or took longer than 10 minutes.");
  expect(new URL(page.url()).search).toBe("");
  await main.getByRole("link", { name: "Back to Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Dockside App Settings" })).toBeVisible();
  expect(asked.filter((url) => url.includes("given-by-ups") && !url.includes("/ups-callback/"))).toEqual([]);
});

test("RT-11 FR-24 the pages outside the route list respond, and none is the 404 page", async ({
  page,
  product,
}) => {
  for (const path of [
    "/login/",
    "/logout/",
    "/get-app/",
    "/disconnect/",
    "/end-user-license-agreement/",
    "/privacy-policy/",
    "/contact/",
    "/controller/",
  ]) {
    const answer = await page.goto(`${product.url}${path}`);
    expect(answer?.status(), path).toBe(200);
    await expect(page.locator("h1").first(), path).not.toHaveText("Page Not Found");
  }
});

/** Links to what the server answers, and the page of each; their targets are tested elsewhere. */
const SERVED: readonly [who: "platform" | "owner" | "guest" | "nocompany", from: string, href: string][] = [
  ["guest", "/", "/login/"],
  ["guest", "/", "/end-user-license-agreement/"],
  ["guest", "/", "/privacy-policy/"],
  ["guest", "/", "/contact/"],
  ["nocompany", "/app/", "/get-app/"],
  ["owner", "/settings/", "/disconnect/"],
  ["platform", "/settings/", "/controller/"],
  ["platform", "/settings/", "/logout/"],
];

test("RT-13 server routes are reached by full page loads, the other entries are not", async ({ openAs }) => {
  test.setTimeout(120_000);
  const pages = {
    platform: await openAs("platform"),
    owner: await openAs("owner"),
    guest: await openAs("guest"),
    nocompany: await openAs("nocompany"),
  };
  const mark = (page: Page) => page.evaluate(() => Reflect.set(window, "marked", true));
  const isMarked = (page: Page) => page.evaluate(() => Reflect.get(window, "marked") === true);
  for (const [who, from, href] of SERVED) {
    const page = pages[who];
    // The session stays for the other tests.
    await page.route("**/logout/", (route) =>
      route.fulfill({ contentType: "text/html", body: "<h1>Out</h1>" }),
    );
    await openPath(page, from);
    await mark(page);
    await page.locator(`a[href^='${href}']`).first().click();
    await page.waitForURL((url) => url.pathname !== from);
    await expect(page.locator("h1").first(), href).toBeVisible();
    expect(await isMarked(page), href).toBe(false);
  }
  const page = pages.platform;
  await openPath(page, "/settings/");
  await mark(page);
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  await expect(page.locator("h1")).toHaveText("Dockside Upload");
  expect(await isMarked(page)).toBe(true);
});

test("RT-17 navigating focuses the heading and scrolls to the top; going back restores the scroll position", async ({
  openAs,
}) => {
  const page = await openAs("platform", { viewport: { width: 1280, height: 400 } });
  await openPath(page, "/settings/");
  await page.evaluate(() => window.scrollTo(0, 120));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(120);
  await page.getByRole("link", { name: "Excel Add-In" }).evaluate((link: HTMLElement) => link.click());
  await expect(page.locator("h1")).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.goBack();
  await expect(page.locator("h1")).toHaveText("Dockside App Settings");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(120);
});

test("RT-17 AY-02 going back from a receipt or another page restores the list as it was, with focus on the heading", async ({
  openAs,
}) => {
  const page = await openAs("owner", { viewport: { width: 1280, height: 500 } });
  const uploads = Array.from({ length: 6 }, (_, index) =>
    sampleUpload({ id: `0199f000-0000-7000-8000-00000000000${index}`, filename: `file-${index}.xlsx` }),
  );
  await page.route("**/api/v1/invoices?*", (route) => route.fulfill({ json: sampleList(uploads) }));
  await openPath(page, "/app/");
  for (const { filename } of uploads)
    await page.getByRole("article", { name: filename }).getByRole("button", { expanded: false }).click();
  const rows = page.getByText("286 invoices posted.");
  const last = page.getByRole("link", { name: "Receipt for file-5.xlsx" });
  for (const leave of [last, page.getByRole("link", { name: "Settings", exact: true })]) {
    await last.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(500);
    // The bar is out of view: a click would scroll to it first.
    await leave.evaluate((link: HTMLElement) => link.click());
    await expect(rows).toHaveCount(0);
    await page.goBack();
    await expect(rows).toHaveCount(uploads.length);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
    await expect(page.locator("h1")).toBeFocused();
  }
});

test("RT-18 PF-02 a page loads its own code and what every page needs, and no part before it is opened", async ({
  openAs,
}) => {
  const { pages, shell } = await readBuild();
  const page = await openAs("platform");
  // The build's lists are for the server alone.
  expect((await page.request.get("/.vite/manifest.json")).status()).toBe(404);
  for (const [path, { scripts }] of Object.entries(pages)) {
    if (/logout|login/.test(path)) continue;
    const loaded = await loadedBy(page, path === "/" ? path : `${path}/`);
    expect(loaded.toSorted(), path).toEqual([...shell, ...scripts].toSorted());
  }
  const loaded = await loadedBy(page, "/app/?form=1");
  expect(loaded.filter((file) => /form-card/.test(file))).toHaveLength(1);
});

test("RT-18 PF-02 the landing page loads none of the code of Upload, Labels, Settings, Admin or payment", async ({
  page,
}) => {
  const texts = await Promise.all((await loadedBy(page, "/")).map(readBuilt));
  const own = [frameWords, homeWords, kitWords].flatMap(findSentences);
  for (const words of [uploadWords, labelWords, companyWords, adminWords, completionWords, carrierWords]) {
    // Sentences of those pages only, in case a shared file has taken up their code.
    const sentences = findSentences(words).filter((sentence) => !own.some((text) => text.includes(sentence)));
    expect(sentences.length).toBeGreaterThan(0);
    expect(sentences.filter((sentence) => texts.some((text) => text.includes(sentence)))).toEqual([]);
  }
});

test("GEN-11 in the demo no page requests another origin", async ({ openAs, product }) => {
  test.setTimeout(120_000);
  const { pages } = await readBuild();
  const page = await openAs("platform");
  const asked = new Set<string>();
  page.context().on("request", (request) => asked.add(new URL(request.url()).origin));
  for (const path of [...Object.keys(pages), "/app/?form=1", "/no-such-page"]) {
    if (/^\/log(in|out)/.test(path)) continue;
    await openPath(page, path);
    await allAsked(page);
  }
  expect([...asked]).toEqual([product.url]);
});

test("RT-19 a page whose code is gone after a release reloads once by itself, then says that something went wrong", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  let loads = 0;
  page.on("load", () => (loads += 1));
  await page.route(/\/assets\/settings-page-.*\.js$/, (route) => route.abort());
  await page.goto("/settings/");
  await expect(page.getByRole("heading", { name: "Sorry, something went wrong." })).toBeVisible();
  expect(loads).toBe(2);
  await expect(page.getByRole("banner")).toBeVisible();
});

/** Script files that a page loads until it has rendered its content. */
async function loadedBy(page: Page, path: string): Promise<string[]> {
  const files = new Set<string>();
  const note = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/assets/") && pathname.endsWith(".js")) files.add(pathname.slice(1));
  };
  page.on("request", note);
  await openPath(page, path);
  await allAsked(page);
  page.off("request", note);
  return [...files];
}

/** Every literal sentence of a catalog. */
function findSentences(words: unknown): string[] {
  if (typeof words === "string") return /^[A-Z][\w ,.;]{11,}$/.test(words) ? [words] : [];
  return typeof words === "object" && words !== null ? Object.values(words).flatMap(findSentences) : [];
}
