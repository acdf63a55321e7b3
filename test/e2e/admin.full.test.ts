import { expect, test } from "./product.ts";
import { openPath } from "./support/visit.ts";
import { ACME } from "../support/intuit.ts";
import { workbook, XLSX } from "./support/workbooks.ts";

test("AM-02 every page of Admin has an address of its own, and other users get the 404 page there", async ({
  openAs,
}) => {
  test.setTimeout(120_000);
  const [operator, owner] = [await openAs("platform"), await openAs("owner")];
  const asked: string[] = [];
  owner.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const [name, title] of [
    ["companies", "Companies"],
    ["users", "Users"],
    ["runs", "Runs"],
    ["tracking", "Tracking"],
    ["orders", "Orders"],
    ["labels", "Labels"],
    ["billing", "Billing"],
    ["webhooks", "Webhooks"],
    ["outgoing", "Outgoing webhooks"],
    ["mail", "Mail"],
    ["messages", "Messages"],
    ["errors", "Errors"],
    ["recordings", "Recordings"],
    ["audit", "Audit trail"],
    ["simulators", "Simulators"],
  ] as const) {
    await openPath(operator, `/controller/${name}`);
    await expect(operator.getByRole("heading", { level: 2, name: title, exact: true })).toBeVisible();
    await expect(operator.getByText(/^Loading/)).toHaveCount(0);
    await openPath(owner, `/controller/${name}`);
    await expect(owner.getByRole("heading", { level: 1 })).toHaveText("Page Not Found");
  }
  expect(asked.filter((path) => path.startsWith("/api/v1/admin/"))).toEqual([]);
});

test("AM-02 addresses, ids and codes in Admin's lists break only at their marks", async ({ openAs }) => {
  const page = await openAs("platform");
  for (const name of ["audit", "runs", "companies"]) {
    await openPath(page, `/controller/${name}`);
    const table = page.getByRole("table");
    await expect(table.getByRole("row").nth(1)).toBeVisible();
    expect(await table.evaluate(listBrokenWords), name).toEqual([]);
  }
});

/** Words, or parts of them between marks, that are on two lines. */
function listBrokenWords(table: Element): string[] {
  const broken: string[] = [];
  const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[^\s@\-._/]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word);
    }
  return broken;
}

test("OP-12 Admin's search finds a company, a user, an invoice, a PO and a support id, each on its page", async ({
  openAs,
  product,
}) => {
  const owner = await openAs("owner");
  const uploaded = await owner.request.post(`${product.url}/api/v1/invoices?realm_id=${ACME}`, {
    headers: { origin: product.url },
    multipart: { file: { name: "found.xlsx", mimeType: XLSX, buffer: await workbook(["OP12-1", "OP12-2"]) } },
  });
  const supportId = uploaded.headers()["x-request-id"] ?? "";
  const page = await openAs("platform");
  await openPath(page, "/controller/");
  const find = async (text: string) => {
    await page.getByRole("searchbox", { name: "Search everything" }).fill(text);
    return page.getByRole("region", { name: `Results for "${text}"` });
  };
  await (await find("acme t")).getByRole("link", { name: "Acme Tools" }).click();
  await expect(page).toHaveURL(/\/controller\/companies\?search=\d+$/);
  await expect(page.getByRole("row").filter({ hasText: "Acme Tools" })).toBeVisible();
  await (await find("owner@")).getByRole("link", { name: "owner@acme.example" }).click();
  await expect(page.getByRole("row").filter({ hasText: "owner@acme.example" })).toBeVisible();
  const orders = page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Orders" });
  await orders.click();
  const listed = page.getByRole("table", { name: "List of orders" });
  const number = await listed.getByRole("row").nth(1).getByRole("cell").nth(1).innerText();
  await (await find(number)).getByRole("link", { name: number }).first().click();
  await expect(page.getByRole("row").filter({ hasText: number }).first()).toBeVisible();
  const run = page.getByRole("row").filter({ hasText: "Post invoices: found.xlsx" });
  await (await find(supportId)).getByRole("link", { name: "found.xlsx" }).click();
  await expect(run).toContainText(supportId);
  const upload = page.getByRole("table", { name: "List of uploads" }).getByRole("row");
  for (const [text, name] of [
    ["OP12-2", "Invoice OP12-2 in found.xlsx"],
    ["found", "found.xlsx"],
  ] as const) {
    await openPath(page, "/controller/");
    await (await find(text)).getByRole("link", { name }).click();
    await expect(upload.nth(1)).toContainText("of 2 posted");
    await expect(upload).toHaveCount(2);
  }
});
