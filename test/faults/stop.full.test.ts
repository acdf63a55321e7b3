import { createConnection } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { listUploads, type UploadList } from "#features/invoices/contract.ts";
import { createBrowser, type Browser } from "../support/browser.ts";
import { ACME, driveIntuit } from "../support/intuit.ts";
import { createInstance, removeInstance, runProduct, type Product } from "../support/run-product.ts";
import { invoiceLine, invoiceWorkbook } from "../support/workbooks.ts";

async function startSignedIn(place: Awaited<ReturnType<typeof createInstance>>) {
  const product = await runProduct(place, { DATABASE_URL: "" });
  onTestFinished(() => product.kill());
  const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
  await browser.signIn("owner@acme.example");
  return { product, browser };
}

/** An upload that has half arrived; `sendRest` sends the other half and returns the response. */
async function startUpload({ url }: Product, { cookies }: Browser) {
  const bytes = Buffer.from(await invoiceWorkbook([invoiceLine("S-1")]));
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="slow.xlsx"\r\n\r\n';
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n--b--\r\n")]);
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  socket.write(
    `POST /api/v1/invoices?realm_id=${ACME} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${url}\r\n` +
      `Cookie: ${cookie}\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, body.length / 2));
  await wait(500);
  return {
    sendRest: async () => {
      socket.write(body.subarray(body.length / 2));
      await closed;
      return answer;
    },
  };
}

test("SIGTERM lets an upload in progress finish, and the next start has it", async () => {
  const place = await createInstance();
  onTestFinished(() => removeInstance(place));
  const { product, browser } = await startSignedIn(place);
  const upload = await startUpload(product, browser);
  const ended = product.terminate();
  await wait(2_000);
  expect((await browser.call(listUploads, { query: { realm_id: ACME } })).status).toBe(200);
  expect(await upload.sendRest()).toContain("202 Accepted");
  expect((await ended).code).toBe(0);
  const next = await startSignedIn(place);
  const list = (await next.browser.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
  expect(list.uploads.map(({ filename }) => filename)).toContain("slow.xlsx");
});

test("Ctrl-C waits for no upload, even after a SIGTERM that does", async () => {
  const place = await createInstance();
  onTestFinished(() => removeInstance(place));
  const { product, browser } = await startSignedIn(place);
  await startUpload(product, browser);
  void product.terminate();
  await wait(500);
  expect((await product.stop()).code).toBe(0);
});
