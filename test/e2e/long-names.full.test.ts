import type { Page } from "@playwright/test";
import { expect, test } from "./product.ts";
import { expectFits } from "./support/fits.ts";
import { openPath } from "./support/visit.ts";
import { choose, uploadButton, uploadSample, workbook } from "./support/workbooks.ts";

test.describe.configure({ mode: "parallel" });

/** As long as a word may get in a company's name. */
const LONG = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellsch8t";
const ACME = "9130357849016936";
const NARROW = { viewport: { width: 320, height: 800 } };

/** Gives Acme Tools the long name wherever the server says its name. */
async function renameAcme(page: Page, connection = "connected") {
  await page.route(
    (url) => /^\/(app|settings|disconnect|contact|api\/v1\/(company|user))\/?$/.test(url.pathname),
    async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text())
        .replaceAll("Acme Tools", LONG)
        .replaceAll(`"connection":"connected"`, `"connection":"${connection}"`);
      await route.fulfill({ response: answer, body });
    },
  );
}

for (const connection of ["connected", "reconnect_needed"]) {
  test(`AY-05 a company's name of one long word fits where it is ${connection}`, async ({ openAs }) => {
    const page = await openAs("owner", NARROW);
    await renameAcme(page, connection);
    for (const path of [
      "/app/",
      "/settings/",
      `/settings/?connected=${ACME}`,
      "/disconnect/",
      `/disconnect/?realmId=${ACME}`,
      "/contact/",
    ]) {
      await openPath(page, path);
      if (path !== "/contact/") await expect(page.getByRole("main").getByText(LONG).first()).toBeVisible();
      await expectFits(page, `${path}, ${connection}`);
    }
  });
}

test("AY-05 a file name and a customer name of one long word fit in results, receipt, undo and check", async ({
  openAs,
}) => {
  const page = await openAs("owner", NARROW);
  await openPath(page, "/app/");
  const name = `${LONG}.xlsx`;
  await uploadSample(page, "with-mistakes", name);
  await expect(page.getByText(/^\d+ needs? fixing$/).first()).toBeVisible();
  await expectFits(page, "results");
  await page.getByRole("button", { name: `Undo ${name}` }).click();
  await expect(
    page
      .getByRole("dialog")
      .getByText(/^\d+ invoices? would go|invoice/)
      .first(),
  ).toBeVisible();
  await expectFits(page, "undo");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: `Receipt for ${name}` }).click();
  await expect(page.getByRole("region", { name: `Receipt for ${name}` })).toBeVisible();
  await expectFits(page, "receipt");
  await openPath(page, "/app/");
  await choose(page, name, await workbook([LONG.slice(0, 21)], LONG));
  await expectFits(page, "chosen file");
  await expect(uploadButton(page)).toBeEnabled();
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("heading", { name: "Invoices" })).toBeVisible();
  await expect(page.getByRole("heading", { name: /^\d questions?$/ })).toBeVisible();
  await expectFits(page, "check");
});
