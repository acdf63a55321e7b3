import { expect, test } from "./product.ts";

test("RT-08 RT-14 ER-13 NF-01 NF-02 NF-03 NF-04 NF-05 NF-06 an unknown path is a 404 page that names it as text and links home", async ({
  page,
}) => {
  const answer = await page.goto("/%3Cb%3Enope%3C/b%3E?x=1");
  expect(answer?.status()).toBe(404);
  const main = page.getByRole("main");
  await expect(main.getByText("404", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page Not Found");
  await expect(main.getByText("This page could not be located.")).toBeVisible();
  await expect(main.getByText('Is there a typo in "/<b>nope</b>"?')).toBeVisible();
  await main.getByRole("link", { name: /home page/ }).click();
  await expect(page).toHaveURL(/\/$/);
});
