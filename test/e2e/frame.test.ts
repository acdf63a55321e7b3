import { expect, test } from "./product.ts";
import { chooseOnConsentPage, openPath } from "./support/visit.ts";
import { ALL, barEntries } from "./support/frame.ts";

test("FR-14 FR-15 FR-16 from 900 px the entries are in a row; below they are behind a menu button", async ({
  openAs,
}) => {
  const page = await openAs("platform");
  await openPath(page, "/settings/");
  const menu = page.getByRole("button", { name: "Menu" });
  const entries = barEntries(page.getByRole("banner"));
  for (const width of [1280, 900]) {
    await page.setViewportSize({ width, height: 700 });
    await expect(menu).toHaveCount(0);
    await expect(entries).toHaveText(ALL);
  }
  for (const width of [899, 375]) {
    await page.setViewportSize({ width, height: 700 });
    await expect(entries).toHaveCount(0);
    await menu.click();
    await expect(entries).toHaveText(ALL);
    await page.keyboard.press("Escape");
    await expect(entries).toHaveCount(0);
    await expect(menu).toBeFocused();
  }
  await menu.click();
  await entries.filter({ hasText: "Invoices" }).click();
  await expect(page.locator("h1")).toHaveText("Dockside Upload");
  await expect(entries).toHaveCount(0);
});

test("FR-29 FR-30 ER-11 FR-31 AU-02 a guest is asked to sign in on every protected page, and returns to it with its query", async ({
  page,
}) => {
  for (const path of [
    "/app/",
    "/add-in/",
    "/tracking/",
    "/settings/",
    "/payment-completion/",
    "/ups-callback/",
    "/orders/",
    "/label/?ups=1",
  ]) {
    await openPath(page, path);
    await expect(page.getByText("You must sign in with Intuit to access the app."), path).toBeVisible();
  }
  const button = page.getByRole("main").getByRole("link", { name: "Sign in with Intuit" });
  await expect(button).toHaveAttribute("href", "/login/?next=%2Flabel%2F%3Fups%3D1");
  await button.click();
  await chooseOnConsentPage(page, { user: "Lara Labels" });
  await expect(page).toHaveURL(/\/label\/\?ups=1$/);
  for (const path of ["/", "/no-such-page"]) {
    await openPath(page, path);
    await expect(page.getByText("You must sign in with Intuit to access the app.")).toHaveCount(0);
  }
});

test("HM-01 HM-02 HM-03 HM-04 HM-05 HM-06 HM-07 HM-08 HM-09 HM-10 DM-01 the landing page: its words and picture side by side from 900 px, stacked below, the partner's panel under both, a way to the app and to the samples", async ({
  page,
  product,
}) => {
  await openPath(page, "/");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Dockside");
  await expect(page.getByRole("main").getByRole("listitem")).toHaveText([
    "Automatic tracking updates Tracking details land on your invoices as your carrier reports them.",
    "Proof of delivery attached When a delivery is complete, its proof is attached to the invoice.",
    "Free batch upload Use our spreadsheet template, or type and paste into the web form.",
  ]);
  await expect(page.getByRole("region", { name: "Try it with sample data" })).toBeVisible();
  for (const [width, across] of [
    [1280, true],
    [900, true],
    [899, false],
    [320, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const main = page.getByRole("main");
    await expect(main.getByRole("region")).toHaveCount(3);
    const [words, picture, partner] = await Promise.all(
      [
        page.getByRole("heading", { level: 1 }),
        main.getByRole("img").first(),
        main.getByRole("region", { name: "Need EDI?" }),
      ].map((part) => part.boundingBox()),
    );
    const isAcross = words!.x + words!.width <= picture!.x;
    expect([isAcross, isAcross || words!.y < picture!.y], `${width} px`).toEqual([across, true]);
    expect(partner!.y, `${width} px`).toBeGreaterThan(picture!.y + picture!.height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  const start = page.getByRole("link", { name: "Get Started" });
  await expect(start).toHaveAttribute("href", "/app/");
  // A guest signs in at once.
  await start.click();
  await expect(page).toHaveURL((url) => url.href.startsWith(product.intuitUrl));
});
