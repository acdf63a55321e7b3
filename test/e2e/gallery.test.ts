import { galleryWords } from "../../gallery/words.ts";
import { expect, test } from "./product.ts";
import { expectNoBarrier } from "./support/barriers.ts";
import { openSection, shownOf, smallPicture, tolerance } from "./support/gallery.ts";

const WIDE_LIGHT = { width: 1280, colorScheme: "light" } as const;
const NARROW_DARK = { width: 375, colorScheme: "dark" } as const;

/** Each width and each scheme once; the states of the undo dialog differ in their words, so one picture serves. */
const looksOf = (name: string) => (name.startsWith("undo-") ? [NARROW_DARK] : [WIDE_LIGHT, NARROW_DARK]);

test.describe.configure({ mode: "parallel" });

test("the product itself has no gallery, in the demo neither", async ({ request }) => {
  expect((await request.get("/gallery/")).status()).toBe(404);
});

for (const name of Object.keys(galleryWords.sections)) {
  test(`AY-01 AY-04 AY-05 AY-06 AY-07 AY-08 AY-09 no state in the gallery section ${name} has an accessibility barrier or calls the server`, async ({
    openAs,
  }) => {
    const page = await openAs("guest");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await openSection(page, name);
    // Wide, the pages themselves are looked at.
    await expectNoBarrier(page, name, name === "kit" ? [1280, 375] : [375]);
    expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
  });
}

for (const name of Object.keys(galleryWords.sections)) {
  test(`VIS the gallery section ${name} looks unchanged, wide in the light scheme and narrow in the dark one`, async ({
    openAs,
    browser,
  }) => {
    const page = await openAs("guest");
    const same = await tolerance(browser.version(), test.info().config.updateSnapshots === "all");
    const beside = await page.context().newPage();
    await openSection(page, name);
    for (const { width, colorScheme } of looksOf(name)) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const picture = await smallPicture(shownOf(page, name), beside);
      expect.soft(picture).toMatchSnapshot(`${name}-${width}-${colorScheme}.png`, same);
    }
  });
}

for (const name of ["kit", "upload", "results", "typed"] as const) {
  test(`TH-20 VIS with forced colours the section ${name}, with selected, invalid and disabled controls, looks unchanged`, async ({
    openAs,
    browser,
  }) => {
    const page = await openAs("guest", { forcedColors: "active", reducedMotion: "reduce" });
    const same = await tolerance(browser.version(), test.info().config.updateSnapshots === "all");
    const beside = await page.context().newPage();
    await openSection(page, name);
    expect(await smallPicture(shownOf(page, name), beside)).toMatchSnapshot(`${name}-forced.png`, same);
  });
}
