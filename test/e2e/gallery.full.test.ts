import { galleryWords } from "../../gallery/words.ts";
import { expect, test } from "./product.ts";
import { expectSection, findSection, openSection, smallPicture, tolerance } from "./support/gallery.ts";

test.describe.configure({ mode: "parallel" });

test("the product itself has no gallery, not even in the demo", async ({ request }) => {
  expect((await request.get("/gallery/")).status()).toBe(404);
});

for (const name of Object.keys(galleryWords.sections)) {
  test(`AY-01 AY-04 AY-05 AY-06 AY-07 AY-08 AY-09 TH-08 TH-09 TH-10 TH-11 TH-12 TH-13 TH-14 VIS no state in the gallery section ${name} has an accessibility barrier or a heading unlike its level, calls the server or looks changed, wide in the light scheme and narrow in the dark one`, async ({
    openAs,
    browser,
  }) => expectSection({ page: await openAs("guest"), browser, name }));
}

test("TH-20 VIS with forced colors, selected, invalid and disabled controls in the sections kit, upload, results and typed look unchanged", async ({
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
