import { test } from "./product.ts";
import { expectNoAxeViolations } from "./support/barriers.ts";
import { openPath, type Who } from "./support/visit.ts";

const MAIN_PAGES: readonly [Who, string][] = [
  ["guest", "/"],
  ["owner", "/app/"],
  ["owner", "/settings/"],
  ["platform", "/controller/"],
];

test("AY-01 AY-04 AY-05 AY-06 the main pages have no finding of axe", async ({ openAs }) => {
  for (const [who, path] of MAIN_PAGES) {
    const page = await openAs(who);
    await openPath(page, path);
    await expectNoAxeViolations(page, `${who} at ${path}`, "light");
    await page.context().close();
  }
});
