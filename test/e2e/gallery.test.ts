import { expect, test } from "./product.ts";
import { expectSection } from "./support/gallery.ts";

test("the product itself has no gallery, not even in the demo", async ({ request }) => {
  expect((await request.get("/gallery/")).status()).toBe(404);
});

test("AY-01 AY-04 AY-05 AY-06 AY-07 AY-08 AY-09 TH-08 TH-09 TH-10 TH-11 TH-12 TH-13 TH-14 VIS no state of the kit's components in the gallery has an accessibility barrier or a heading unlike its level, calls the server or looks changed, wide in the light scheme and narrow in the dark one", async ({
  openAs,
  browser,
}) => expectSection({ page: await openAs("guest"), browser, name: "kit" }));
