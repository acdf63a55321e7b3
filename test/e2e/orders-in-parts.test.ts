import { sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { CARRIER_SETTINGS } from "../support/shipping.ts";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { add, connectUps, generate, order, row, TAB } from "./support/orders.ts";
import { grantTracking } from "./support/services.ts";
import { openPath } from "./support/visit.ts";

test("TD-01 TD-03 TD-04 several cartons show an even proposal; less is shipped, the rest is kept open or canceled, and leaves later", async ({
  openAs,
  product,
}) => {
  await grantTracking(product);
  await connectUps(product, CARRIER_SETTINGS.ship_from);
  const page = await openAs("owner");
  await openPath(page, TAB);
  await add(page, [sampleOrder(31)], "parts.edi");
  const parts = order(page, "800031");
  await parts.getByRole("button", { name: /^Add/ }).click();
  for (const carton of [1, 2]) {
    const group = parts.getByRole("group", { name: `Carton ${carton}` });
    for (const [name, value] of Object.entries({ Length: "15", Width: "13", Height: "3", Weight: "2" }))
      await group.getByRole("textbox", { name: new RegExp(`^${name}`) }).fill(value);
  }
  const grid = parts.getByRole("table", { name: "Pieces in each carton" });
  const cell = (sku: string, place: number) =>
    grid.getByRole("textbox", { name: `${sku} in carton ${place}`, exact: true });
  await expect(cell("1001234", 1)).toHaveValue("1");
  await expect(cell("1001235", 2)).toHaveValue("5");
  // 640 px is a window of 1280 at 200 %.
  for (const width of [600, 640, 720, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const isInside = await parts.evaluate((entry) =>
      [...entry.querySelectorAll(".buttons")].every(
        ({ lastElementChild: last }) =>
          last!.getBoundingClientRect().right <= entry.getBoundingClientRect().right,
      ),
    );
    expect(isInside, `${width} px`).toBe(true);
  }
  await cell("1001234", 2).fill("2");
  await expect(grid.getByRole("alert")).toHaveText(
    "The cartons have more of 1001234 than the 2 left to ship.",
  );
  await generate(parts).click();
  await expect(grid).toBeVisible();
  await cell("1001234", 2).fill("");
  await cell("1001235", 1).fill("3");
  const rest = (sku: string) => grid.getByRole("group", { name: sku });
  await expect(rest("Ship 1 of 2.").getByRole("radio", { name: "Keep 1 open" })).toBeChecked();
  await rest("Ship 8 of 10.").getByRole("radio", { name: "Cancel 2" }).check();
  await expectAccessible(page, "packing in parts");
  await generate(parts).click();
  const ready = parts.getByRole("group", { name: "Labels ready for PO # 800031" });
  await expect(ready).toContainText("2 cartons");
  await ready.getByRole("button", { name: "Pack the rest" }).click();
  await parts.getByRole("button", { name: /^Ship less/ }).click();
  const last = parts.getByRole("table", { name: "Pieces in the carton" });
  await expect(last.getByRole("row")).toHaveCount(2);
  await expect(last.getByRole("textbox")).toHaveValue("1");
  await generate(parts).click();
  await expect(ready).toContainText("1 carton");
  await page.getByRole("tab", { name: "History" }).click();
  await expect(row(page, "800031")).toHaveCount(2);
});
