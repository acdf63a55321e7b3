import { countInvoices } from "../../src/features/invoices/web/fixtures/uploads.ts";
import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { openSection, serveGallery } from "./support/gallery.ts";
import { findMisstyledHeadings } from "./support/headings.ts";
import { tabThroughPage } from "./support/keyboard.ts";
import { openPath } from "./support/visit.ts";

test.describe.configure({ mode: "parallel" });

const readStyle = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

test("TH-02 TH-07 TH-08 TH-09 TH-17 the page uses the specified color, font and sizes, and hover stays readable", async ({
  openAs,
}) => {
  const page = await openAs("guest", { colorScheme: "light" });
  await openPath(page, "/");
  const button = page.getByRole("link", { name: "Get Started" });
  await expect(button).toHaveCSS("background-color", "rgb(242, 104, 44)");
  await expect(button).toHaveCSS("font-size", "19px");
  await expect(button).toHaveCSS("font-weight", "700");
  expect(await readStyle(page, "body", "font-family")).toBe("Lato, Roboto, Helvetica, Arial, sans-serif");
  expect(await readStyle(page, "h1", "font-size")).toBe("32px");
  expect(await readStyle(page, "h1", "font-weight")).toBe("800");
  expect(await readStyle(page, "h2", "font-size")).toBe("28.8px");
  await button.hover();
  await expect(button).toHaveCSS("background-color", "rgb(217, 83, 26)");
});

test("TH-08 TH-09 TH-10 TH-11 TH-12 TH-13 TH-14 every heading of every page has the specified size, weight and slant of its level", async ({
  openAs,
}) => {
  test.setTimeout(120_000);
  const page = await openAs("platform");
  for (const path of [
    "/",
    "/app/",
    "/add-in/",
    "/tracking/",
    "/settings/",
    "/disconnect/",
    "/get-app/",
    "/controller/",
  ]) {
    await openPath(page, path);
    expect(await findMisstyledHeadings(page), path).toEqual([]);
  }
  const plain = await openAs("guest", { javaScriptEnabled: false });
  for (const reader of [page, plain])
    for (const path of ["/privacy-policy/", "/end-user-license-agreement/", "/"]) {
      await reader.goto(path);
      await expect(reader.locator("h1")).toBeVisible();
      expect(await findMisstyledHeadings(reader), path).toEqual([]);
    }
});

for (const [system, chosen, ground] of [
  ["dark", "Light", "rgb(255, 255, 255)"],
  ["light", "Dark", "rgb(18, 18, 18)"],
] as const) {
  test(`TH-19 ${chosen} chosen on a ${system} system applies before the page's script runs, so that nothing flashes`, async ({
    openAs,
  }) => {
    const page = await openAs("owner", { colorScheme: system });
    await openPath(page, "/contact/");
    await page.getByRole("combobox", { name: "Theme" }).selectOption(chosen);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/\/assets\/shell-[\w-]+\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    for (const path of ["/", "/settings/"]) {
      await page.goto(path, { waitUntil: "commit" });
      await expect(page.locator("#root")).toBeAttached();
      await expect(page.locator("html")).toHaveAttribute("data-color-scheme", chosen.toLowerCase());
      await expect(page.locator("html")).toHaveCSS("background-color", ground);
      await expect(page.locator("html")).toHaveCSS("color-scheme", chosen.toLowerCase());
      if (path === "/") await expect(page.locator(".plain")).toHaveCSS("background-color", ground);
    }
    answer();
    await expect(page.getByRole("banner")).toBeVisible();
    await expect(page.locator("body")).toHaveCSS("background-color", ground);
    await page.getByRole("combobox", { name: "Theme" }).selectOption("System");
    await expect(page.locator("html")).toHaveCSS("color-scheme", system);
  });
}

test("PF-03 CO-07 before its script has run Upload names itself and the company, but none that this browser left, and its text is already in its final place", async ({
  openAs,
}) => {
  // A user of one company: other tests connect more.
  const page = await openAs("clerk");
  const words = () =>
    page.evaluate(() =>
      ["h1", "h1 + *"].map((part) => {
        const { x, y } = document.querySelector(`main ${part}`)?.getBoundingClientRect() ?? {};
        return [part, x, y];
      }),
    );
  await openPath(page, "/app/");
  const after = await words();
  await page.route(/\/assets\/shell-[\w-]+\.js$/, () => undefined);
  const line = page.locator(".plain .line");
  await page.goto("/app/", { waitUntil: "commit" });
  await expect(page.locator(".plain h1")).toHaveText("Dockside Upload");
  await expect(line).toBeVisible();
  // The words about another service are there, and hidden.
  await expect(line).toHaveText(/^You are connected to Acme Tools with the Invoice Upload service\./, {
    useInnerText: true,
  });
  expect(await words()).toEqual(after);
  await page.evaluate(() => localStorage.setItem("realmId", "1234"));
  await page.goto("/app/", { waitUntil: "commit" });
  await expect(page.locator(".plain h1")).toBeVisible();
  await expect(line).toBeHidden();
  // With no company remembered here the first is shown, and this user has no other.
  await page.evaluate(() => localStorage.setItem("realmId", "null"));
  await page.goto("/app/", { waitUntil: "commit" });
  await expect(line).toBeVisible();
  const notice = page.locator(".plain aside");
  await expect(notice).toBeVisible();
  await page.evaluate(() => sessionStorage.setItem("demoNoticeHidden", "1"));
  await page.route("/app/", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('data-is-first="true"', 'data-is-first="false"');
    await route.fulfill({ response: answer, body });
  });
  await page.goto("/app/", { waitUntil: "commit" });
  await expect(page.locator(".plain h1")).toBeVisible();
  await expect(line).toBeHidden();
  await expect(notice).toBeHidden();
  for (const other of ["plain", "labels"] as const) {
    const { request } = await openAs(other);
    const sent = await (await request.get("/app/")).text();
    expect(sent, other).toContain('data-company=""');
    expect(sent, other).not.toContain("connected to Acme");
  }
  const { request } = await openAs("guest");
  expect(await (await request.get("/app/")).text()).not.toContain('class="plain"');
});

for (const [reducedMotion, moving] of [
  ["no-preference", ["bar", "button", "skeleton", "spinner"]],
  ["reduce", []],
] as const) {
  test(`AY-09 with ${reducedMotion} ${moving.join(", ") || "nothing"} moves`, async ({ openAs }) => {
    const page = await openAs("owner", { reducedMotion });
    await page.addInitScript(() => {
      const moved = new Set<string>();
      Object.assign(window, { moved });
      for (const type of ["animationstart", "transitionrun"])
        document.addEventListener(type, ({ target }) => {
          const shape = (target as Element).closest(
            "[class*=CircularProgress], [data-skeleton], [role], button",
          );
          const kinds = {
            CircularProgress: "spinner",
            "data-skeleton": "skeleton",
            progressbar: "bar",
            Button: "button",
          };
          const found = Object.entries(kinds).find(([sign]) =>
            shape?.outerHTML.split(">")[0]?.includes(sign),
          );
          moved.add(found?.[1] ?? (target as Element).outerHTML.slice(0, 100));
        });
    });
    const moved = () =>
      page.evaluate(() => [...(window as never as { moved: Set<string> }).moved].toSorted());
    await openSection(page, "kit");
    await page.getByRole("button", { name: "Filled", exact: true }).hover();
    await page.mouse.down();
    await page.mouse.up();
    await page.keyboard.press("Tab");
    await page
      .getByRole("progressbar", { name: "march.xlsx" })
      .first()
      .evaluate((bar) => bar.firstElementChild?.setAttribute("style", "width: 90%"));
    await page.setViewportSize({ width: 375, height: 800 });
    await page.getByRole("button", { name: "Menu" }).click();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    // A pending animation shows when the next frame is drawn.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await expect.poll(moved).toEqual(moving);
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`TH-22 in the ${colorScheme} scheme the focus ring contrasts with both of its sides`, async ({
    openAs,
  }) => {
    const page = await openAs("guest", { colorScheme });
    await serveGallery(page);
    for (const path of ["/", "/gallery/", "/contact/"]) {
      await openPath(page, path);
      expect((await tabThroughPage(page)).filter(({ ring }) => !ring)).toEqual([]);
    }
  });

  test(`TH-17 with more contrast in the ${colorScheme} scheme, hovered and pressed controls keep it`, async ({
    openAs,
  }) => {
    const page = await openAs("guest", { colorScheme, contrast: "more", reducedMotion: "reduce" });
    await openPath(page, "/");
    const button = page.getByRole("link", { name: "Get Started" });
    await button.hover();
    await expect(button).toHaveCSS("background-color", "rgb(185, 66, 15)");
    await page.mouse.down();
    await expect(button).toHaveCSS("background-color", "rgb(185, 66, 15)");
    await expect(button).toHaveCSS("color", "rgb(255, 255, 255)");
  });
}

test("PR-02 PR-03 a page in the dark scheme is printed in black", async ({ openAs }) => {
  const page = await openAs("owner", { colorScheme: "dark" });
  for (const path of ["/privacy-policy/", "/app/", "/settings/"]) {
    await openPath(page, path);
    await page.emulateMedia({ media: "print" });
    const colors = () =>
      page
        .locator("main :is(h1, h2, p, li, a)")
        .evaluateAll((all) => [
          ...new Set(
            all.filter((each) => each.checkVisibility()).map((each) => getComputedStyle(each).color),
          ),
        ]);
    // Buttons change their color by a transition.
    await expect.poll(colors, path).toEqual(["rgb(0, 0, 0)"]);
    await page.emulateMedia({ media: "screen" });
  }
});

test("TH-20 with forced colors the controls keep their borders and the focus its ring", async ({
  openAs,
}) => {
  const page = await openAs("owner", { forcedColors: "active" });
  await openSection(page, "kit");
  for (const name of ["Filled", "Green", "Outlined"]) {
    const button = page.getByRole("button", { name, exact: true });
    await expect(button).toHaveCSS("border-top-style", "solid");
    await button.focus();
  }
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).toBe("solid");
});

test("TH-21 the font is served by us, and the page shows its text before the font has loaded", async ({
  page,
  product,
}) => {
  const fonts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "font") fonts.push(request.url());
  });
  await page.route(/\.woff2$/, () => undefined);
  await page.goto("/contact/", { waitUntil: "commit" });
  await expect(page.locator("h1")).toBeVisible();
  // The request may follow the first paint; it is never answered.
  await expect.poll(() => fonts.length).toBeGreaterThan(0);
  expect(fonts.filter((url) => !url.startsWith(product.url))).toEqual([]);
  const shown = await page.evaluate(() =>
    // Its fallbacks are fonts of the machine, available at once.
    [...document.fonts].filter(({ family }) => family === "Lato").map(({ display }) => display),
  );
  expect(new Set(shown)).toEqual(new Set(["swap"]));
});

test("IN-01 times are written as in the browser's language", async ({ openAs }) => {
  for (const [locale, pattern] of [
    ["en-US", /[AP]M/],
    ["de-DE", /\d\. März \d{4}/],
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
              results: [{ rows: "2-1001", status: 0, message: "1,000 invoices posted." }],
              result_count: 1,
              counts: { total: 1000, completed: 1000, problems: 0, open: 0 },
              invoices: countInvoices({ total: 1000, completed: 1000, problems: 0, open: 0 }),
              uploaded_by: "Olive Owner",
              fixes: [],
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
