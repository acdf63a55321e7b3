import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { chooseOnConsentPage, openPath, type Who } from "./support/visit.ts";
import { PLACES, ALL, barEntries } from "./support/frame.ts";

test.describe.configure({ mode: "parallel" });

const ENTRIES: readonly [Who, readonly string[]][] = [
  ["platform", ALL],
  ["owner", ["Invoices", "Excel Add-In", "Labels", "Orders", "Settings", "Sign out"]],
  ["clerk", ["Invoices", "Excel Add-In", "Settings", "Sign out"]],
  ["labels", ["Excel Add-In", "Labels", "Orders", "Settings", "Sign out"]],
  ["plain", ["Excel Add-In", "Settings", "Sign out"]],
  ["guest", []],
];

for (const [who, entries] of ENTRIES) {
  test(`GEN-01 FR-03 FR-04 FR-05 FR-06 FR-07 FR-08 FR-09 FR-10 FR-11 FR-12 RL-06 ${who} finds ${entries.length} entries in the bar, in their order`, async ({
    openAs,
  }) => {
    const page = await openAs(who);
    await openPath(page, "/");
    const bar = page.getByRole("banner");
    await expect(barEntries(bar)).toHaveText([...entries]);
    const hrefs = await barEntries(bar).evaluateAll((links) =>
      links.map((link) => link.getAttribute("href")),
    );
    expect(hrefs).toEqual(entries.map((entry) => PLACES[entry]?.[0]));
  });
}

test("FR-03 FR-04 FR-05 FR-06 FR-07 FR-08 FR-09 FR-10 FR-13 RT-16 RT-17 AM-01 each entry of the bar leads to its page, which gets the title, the focus and the current mark", async ({
  page,
  signIn,
}) => {
  // A session of its own: signing out ends it.
  await signIn(page, "Pia Platform");
  await openPath(page, "/");
  const bar = page.getByRole("banner");
  const marked = bar.locator("[aria-current='page']");
  await expect(marked).toHaveCount(0);
  for (const [name, [href, heading]] of Object.entries(PLACES)) {
    const before = await page.title();
    await bar.getByRole("link", { name, exact: true }).click();
    await expect(page.locator("h1")).toHaveText(heading);
    await expect(page).not.toHaveTitle(before);
    await expect(page).toHaveTitle(/ · Dockside$/);
    if (name === "Sign out") break;
    await expect(page).toHaveURL(new RegExp(`${href}$`));
    await expect(marked).toHaveText([name]);
    if (name !== "Admin") await expect(page.locator("h1")).toBeFocused();
  }
  await expect(barEntries(bar)).toHaveCount(0);
});

test("FR-01 FR-02 the bar has the logo and a home link named after the product", async ({ page }) => {
  await openPath(page, "/contact/");
  const brand = page.getByRole("banner").getByRole("link", { name: "Dockside" });
  await expect(brand.locator("img")).toHaveAttribute("alt", "");
  const width = () => brand.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width, "the logo arrives after the page").toBeGreaterThan(0);
  await brand.click();
  await expect(page).toHaveURL(/\/$/);
});

test("FR-13 the entry of the open page is marked by name and by more than color", async ({ openAs }) => {
  const page = await openAs("owner");
  await openPath(page, "/settings/");
  const current = page.getByRole("banner").locator("[aria-current='page']");
  await expect(current).toHaveText(["Settings"]);
  await expect(current).toHaveCSS("border-bottom-width", "3px");
  await expect(current).toHaveCSS("font-weight", "700");
});

test("FR-17 FR-18 FR-19 FR-20 FR-21 guests have a sign-in image that changes on hover and focus, except where the page has its own", async ({
  page,
}) => {
  await openPath(page, "/");
  const button = page.getByRole("banner").getByRole("link", { name: "Sign in with Intuit" });
  await expect(button).toHaveAttribute("href", "/login/");
  const shown = () =>
    button
      .locator("img")
      .evaluateAll((images) =>
        images
          .filter((image) => getComputedStyle(image).visibility === "visible")
          .map((image) => image.getAttribute("src")),
      );
  expect(await shown()).toEqual(["/images/sign-in.svg"]);
  await button.hover();
  expect(await shown()).toEqual(["/images/sign-in-hover.svg"]);
  await page.mouse.move(0, 500);
  await page.getByRole("link", { name: "Dockside", exact: true }).focus();
  await page.keyboard.press("Tab");
  await expect(button).toBeFocused();
  expect(await shown()).toEqual(["/images/sign-in-hover.svg"]);
  for (const path of ["/app/", "/label/"]) {
    await openPath(page, path);
    await expect(page.getByRole("banner").getByRole("link", { name: "Sign in with Intuit" })).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("link", { name: "Sign in with Intuit" })).toBeVisible();
  }
});

test("FR-23 while the session loads the bar keeps its height and shows neither entries nor sign-in, and nothing moves when it has loaded", async ({
  page,
}) => {
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/v1/user", async (route) => {
    await held;
    await route.continue();
  });
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        sources: { node: Node }[];
      })[])
        shifts.push(`${entry.value} ${entry.sources.map(({ node }) => node?.textContent).join()}`);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/");
  const bar = page.getByRole("banner");
  await expect(page.locator("h1")).toBeVisible();
  const before = await bar.boundingBox();
  await expect(bar.getByRole("link")).toHaveText(["Dockside"]);
  answer();
  await expect(bar.getByRole("link", { name: "Sign in with Intuit" })).toBeVisible();
  expect((await bar.boundingBox())?.height).toBe(before?.height);
  // A shift is reported when the next frame has been drawn.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  expect(await page.evaluate(() => (window as never as { shifts: string[] }).shifts)).toEqual([]);
});

test("FR-41 a failure present at load is not an alert; one caused by an action is", async ({ openAs }) => {
  const page = await openAs("owner");
  await page.route("**/api/v1/invoices?*", (route) =>
    route.fulfill({ status: 400, json: { detail: "The list could not be read." } }),
  );
  await openPath(page, "/app/");
  const block = page.getByRole("region", { name: "Results" }).getByRole("group", { name: "Error!" });
  await expect(block).toContainText("The list could not be read.");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await block.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The list could not be read." })).toBeVisible();
});

test("FR-24 FR-25 FR-26 FR-27 QC-21 the footer has its links, the trademark notices and the current year", async ({
  page,
}) => {
  await page.clock.setFixedTime(new Date("2031-05-05T12:00:00Z"));
  await page.goto("/contact/");
  const footer = page.getByRole("contentinfo");
  await expect(footer.getByText("© 2031 Dockside")).toBeVisible();
  await expect(
    footer.getByText(/^Intuit and QuickBooks are trademarks of Intuit Inc\. UPS is a/),
  ).toBeVisible();
  const targets = footer
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(await targets).toEqual(["/end-user-license-agreement/", "/privacy-policy/", "/contact/"]);
});

test("FR-28 a page that needs sign-in shows a named spinner while the session loads", async ({ page }) => {
  await page.route("**/api/v1/user", () => undefined);
  await page.goto("/settings/");
  await expect(page.getByRole("progressbar", { name: "Loading your account" })).toBeVisible();
});

test("FR-32 QC-06 QC-07 a failing server is reported after three requests, and Try again recovers", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await withoutVisitor(page);
  let asked = 0;
  await page.route("**/api/v1/user", async (route) => {
    asked += 1;
    if (asked > 3) await route.continue();
    else await route.fulfill({ status: 503, json: { detail: "The database is away." } });
  });
  await page.goto("/settings/");
  const block = page.getByRole("group", { name: "Error!" });
  await expect(block).toContainText("The database is away.");
  expect(asked).toBe(3);
  await expect(page.getByText("You must sign in with Intuit to access the app.")).toBeVisible();
  await block.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("radio", { name: "Acme Tools" })).toBeVisible();
});

test("FR-33 FR-34 FR-35 FR-36 FR-37 only the page that crashes is replaced; navigating shows the next page", async ({
  openAs,
}) => {
  const page = await openAs("owner");
  await page.route(/\/settings-page-[\w-]+\.js$/, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: "export function SettingsPage() { throw new Error('made to fail'); }",
    }),
  );
  await page.goto("/settings/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sorry, something went wrong.");
  await expect(
    page.getByText(
      "We were not able to load this page. This error has been reported to our development team. Please try again in a few minutes.",
    ),
  ).toBeVisible();
  const details = page.getByText("made to fail");
  expect(Number.parseFloat(await details.evaluate((block) => getComputedStyle(block).fontSize))).toBeLessThan(
    16,
  );
  const [gray, ground] = await details.evaluate((block) => {
    const grounds: string[] = [];
    for (let part: Element | null = block; part; part = part.parentElement)
      grounds.push(getComputedStyle(part).backgroundColor);
    return [
      getComputedStyle(block).color,
      grounds.find((color) => color !== "rgba(0, 0, 0, 0)") ?? "rgb(255, 255, 255)",
    ];
  });
  const channels = colorParts(gray);
  expect(Math.max(...channels) - Math.min(...channels), gray).toBeLessThan(32);
  expect(channels, "not the color of the text around").not.toEqual(
    colorParts(
      await page.getByRole("heading", { level: 1 }).evaluate((title) => getComputedStyle(title).color),
    ),
  );
  expect(contrast(channels, colorParts(ground))).toBeGreaterThanOrEqual(4.5);
  await expect(page.getByRole("button", { name: "Reload" })).toBeVisible();
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  await expect(page.locator("h1")).toHaveText("Dockside Upload");
});

test("FR-42 typed text is restored after the session ended and the user signed in again", async ({
  openAs,
}) => {
  const page = await openAs("nocompany");
  await openPath(page, "/contact/");
  await page.getByRole("textbox", { name: "Message" }).fill("The third row says nothing about the item.");
  await page.context().clearCookies();
  await page.goto("/login/?next=%2Fcontact%2F");
  await chooseOnConsentPage(page, { user: "Nia New" });
  await expect(page.getByRole("textbox", { name: "Message" })).toHaveValue(
    "The third row says nothing about the item.",
  );
});

test("FR-43 RT-09 the first Tab stop skips to the content", async ({ page }) => {
  await openPath(page, "/contact/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to main content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("HM-07 HM-08 the EDI partner's link is marked as another site and opens in the same tab", async ({
  page,
}) => {
  await page.route("https://edi-partner.example/**", (route) => route.fulfill({ body: "The partner." }));
  await openPath(page, "/");
  const panel = page.getByRole("region", { name: "Need EDI?" });
  await expect(panel).toContainText(
    "Our partner exchanges orders, ship notices, and invoices with your retailers by EDI.",
  );
  const link = panel.getByRole("link");
  await expect(link).toHaveAccessibleName(/external site/);
  await expect(link).toHaveAttribute("rel", "noopener");
  await link.click();
  await expect(page).toHaveURL("https://edi-partner.example/");
  expect(page.context().pages()).toHaveLength(1);
});

test("DM-01 the demo notice, once hidden, stays hidden for the browser session", async ({ page }) => {
  await openPath(page, "/contact/");
  const notice = page.getByText("Demo: simulated Intuit, UPS, and Stripe.");
  await expect(notice).toBeVisible();
  await page.getByRole("button", { name: "Hide this notice" }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(page.locator("h1")).toBeVisible();
  await expect(notice).toHaveCount(0);
});

/** A page served without the session, as when the server could not read it. */
async function withoutVisitor(page: Page) {
  await page.route(/\/settings\/$/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(
      /<script type="application\/json" id="user">.*?<\/script>/,
      "",
    );
    await route.fulfill({ response: answer, body });
  });
}

const colorParts = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);

/** Contrast of two colors by WCAG 2.2, 1 to 21. */
function contrast(a: readonly number[], b: readonly number[]): number {
  const [light = 0, dark = 0] = [a, b].map(luminance).toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
