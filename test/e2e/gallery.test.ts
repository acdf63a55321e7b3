import { galleryWords } from "../../gallery/words.ts";
import { expect, test } from "./product.ts";
import { expectNoBarrier } from "./support/barriers.ts";
import { oddHeadings } from "./support/headings.ts";
import { openSection, findSection, smallPicture, tolerance } from "./support/gallery.ts";

const WIDE_LIGHT = { width: 1280, colorScheme: "light" } as const;
const NARROW_DARK = { width: 375, colorScheme: "dark" } as const;

/** Each width and each scheme once; the states of the undo dialog differ in their words, so one picture serves. */
const chooseLooks = (name: string) => (name.startsWith("undo-") ? [NARROW_DARK] : [WIDE_LIGHT, NARROW_DARK]);

test.describe.configure({ mode: "parallel" });

test("the product itself has no gallery, in the demo neither", async ({ request }) => {
  expect((await request.get("/gallery/")).status()).toBe(404);
});

for (const name of Object.keys(galleryWords.sections)) {
  test(`AY-01 AY-04 AY-05 AY-06 AY-07 AY-08 AY-09 TH-08 TH-09 TH-10 TH-11 TH-12 TH-13 TH-14 VIS no state in the gallery section ${name} has an accessibility barrier or a heading unlike its level, calls the server or looks changed, wide in the light scheme and narrow in the dark one`, async ({
    openAs,
    browser,
  }) => {
    const page = await openAs("guest");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const same = await tolerance(browser.version(), test.info().config.updateSnapshots === "all");
    await openSection(page, name);
    expect(await oddHeadings(page)).toEqual([]);
    for (const { width, colorScheme } of chooseLooks(name)) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const picture = await smallPicture(findSection(page, name), browser);
      expect.soft(picture).toMatchSnapshot(`${name}-${width}-${colorScheme}.png`, same);
    }
    // Wide, the pages themselves are looked at.
    await expectNoBarrier(page, name, name === "kit" ? [1280, 375] : [375]);
    expect(asked.filter((path) => path.startsWith("/api/"))).toEqual([]);
  });
}

test("TH-20 VIS with forced colors selected, invalid and disabled controls of the sections kit, upload, results and typed look unchanged", async ({
  openAs,
  browser,
}) => {
  const page = await openAs("guest", { forcedColors: "active", reducedMotion: "reduce" });
  const same = await tolerance(browser.version(), test.info().config.updateSnapshots === "all");
  for (const name of ["kit", "upload", "results", "typed"]) {
    await openSection(page, name);
    const picture = await smallPicture(findSection(page, name), browser);
    expect.soft(picture).toMatchSnapshot(`${name}-forced.png`, same);
  }
});
