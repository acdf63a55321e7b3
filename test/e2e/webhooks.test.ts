import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect, test } from "./product.ts";
import { expectAccessible } from "./support/barriers.ts";
import { openPath } from "./support/visit.ts";
import { workbook, XLSX } from "./support/workbooks.ts";

const ACME = "9130357849016936";

test("OP-15 the admin adds a webhook in Settings, a program receives a finished upload signed, and the admin sends it again and deletes it", async ({
  product,
  openAs,
}) => {
  const got: { headers: Record<string, string>; body: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => (body += text));
    request.on("end", () => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(got.length === 1 ? 500 : 204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  const page = await openAs("owner");
  await openPath(page, "/settings/developers/?section=webhooks");
  const card = page.getByRole("region", { name: "Webhooks" });
  const address = card.getByRole("textbox", { name: "Address" });
  await address.fill("https://10.0.0.1/");
  await card.getByRole("button", { name: "Add webhook" }).click();
  await expect(card).toContainText("This address is in a private network.");
  await address.fill(`http://127.0.0.1:${port}/hooks`);
  await card.getByRole("button", { name: "Add webhook" }).click();
  const secret = await card.getByRole("textbox", { name: "The secret" }).inputValue();
  await card.getByRole("button", { name: "Send a test" }).click();
  const messages = card.getByRole("list", { name: "Last messages" });
  await expect(messages).toContainText("Not accepted: 500. Next attempt");
  await expectAccessible(page, "Webhooks");
  await messages.getByRole("button", { name: "Resend" }).click();
  await expect(messages).toContainText("Delivered");

  await page.request.post(`${product.url}/api/v1/invoices?realm_id=${ACME}`, {
    headers: { origin: product.url },
    multipart: { file: { name: "hooks.xlsx", mimeType: XLSX, buffer: await workbook(["OP15-1"]) } },
  });
  const findUpload = () => got.find(({ body }) => body.includes("upload.finished"));
  await expect.poll(findUpload, { timeout: 60_000 }).toBeDefined();
  const tests = got.filter(({ body }) => body.includes("webhook.test"));
  expect(tests.length).toBeGreaterThan(1);
  expect(new Set(tests.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  const upload = findUpload();
  expect(new Webhook(secret).verify(upload?.body ?? "", upload?.headers ?? {})).toMatchObject({
    type: "upload.finished",
    data: { company_id: ACME, state: "finished" },
  });
  await page.reload();
  await expect(card.getByText(secret)).toHaveCount(0);
  await expect(messages.getByRole("listitem").first()).toContainText(/Upload finished.*Delivered/);
  await card.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete the webhook" }).click();
  await expect(page.getByRole("button", { name: "Webhooks" })).toHaveAccessibleDescription(/None yet$/);
  receiver.close();
});
