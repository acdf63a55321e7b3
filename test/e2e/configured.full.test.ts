import { createInstance, removeInstance, runProduct } from "../support/run-product.ts";
import { expect, test } from "./product.ts";
import { openAs, openPath } from "./support/visit.ts";

test("FR-05 FR-06 HM-02 HM-08 a self-hosted server has its own name, no add-in link but the add-in's page, and no panel for a partner it doesn't have", async ({
  browser,
}) => {
  const place = await createInstance();
  const product = await runProduct(place, {
    PRODUCT_NAME: "Quayside",
    ADD_IN_LINK: "false",
    EDI_PARTNER_URL: "",
  });
  try {
    const page = await openAs({ browser, product }, "platform");
    await openPath(page, "/");
    await expect(page.locator("h1")).toHaveText(
      "Quayside: Upload a spreadsheet. Get invoices in QuickBooks.",
    );
    const links = page.getByRole("banner").getByRole("link");
    await expect(links.filter({ hasNotText: "Demo data" })).toHaveText([
      "Quayside",
      "Invoices",
      "Labels",
      "Orders",
      "Settings",
      "Admin",
      "Sign out",
    ]);
    await expect(page.getByRole("main").getByRole("region", { name: "Need EDI?" })).toHaveCount(0);
    await expect(page.getByRole("main").getByText(/EDI/)).toHaveCount(0);
    await openPath(page, "/add-in/");
    await expect(page.locator("h1")).toContainText("Excel Add-In");
    await expect(page.getByRole("textbox", { name: "Access token" })).toBeVisible();
  } finally {
    await product.stop();
    await removeInstance(place);
  }
});
