import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { listCompanies } from "#features/companies/contract.ts";
import { createBrowser } from "../support/browser.ts";
import { ACME, driveIntuit } from "../support/intuit.ts";
import {
  productEnvironment,
  createInstance,
  removeInstance,
  runProduct,
  type Product,
  type ProductInstance,
} from "../support/run-product.ts";
import { uploadRows } from "../support/uploads.ts";
import { invoiceRows } from "../support/workbooks.ts";
import { startExternalDatabase } from "./support/external-database.ts";
import { runToEnd } from "./support/run-to-end.ts";

const EMBEDDED = { DATABASE_URL: "" };

async function ownPlace(): Promise<ProductInstance> {
  const place = await createInstance();
  onTestFinished(() => removeInstance(place));
  return place;
}

async function startProduct(
  place: ProductInstance,
  env: Record<string, string> = EMBEDDED,
): Promise<Product> {
  const product = await runProduct(place, env);
  onTestFinished(async () => void (await product.stop()));
  return product;
}

/** The output of a start that is refused. */
async function expectStartRefused(place: ProductInstance, env: Record<string, string>): Promise<string> {
  const { code, output } = await runToEnd({ ...productEnvironment(place), ...env });
  expect(code).toBe(1);
  return output;
}

async function occupy(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
}

const isListening = (port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

test("a worker listens on no port: it starts even if every port is taken", async () => {
  const database = await startExternalDatabase();
  const place = await ownPlace();
  await Promise.all([occupy(place.port), occupy(place.intuitPort)]);
  const worker = await startProduct(place, { DATABASE_URL: database.url, ROLES: "worker" });
  expect(worker.output()).toContain("is running: a worker, without a page");
  expect((await worker.stop()).code).toBe(0);
});

test("a second product in a data folder ends with a sentence when the first one stops", async () => {
  const place = await ownPlace();
  const other = await ownPlace();
  const first = await startProduct(place);
  const second = await startProduct({ ...other, folder: place.folder });
  await first.stop();
  // Its last words arrive a moment after it has ended.
  await expect
    .poll(() => second.output())
    .toContain(
      "The embedded database ended: the product that started it, in the same data folder, has stopped. Start again; no data is lost.",
    );
  await expect.poll(() => second.isRunning()).toBe(false);
});

test("without the sealing key of its connections the product does not start and makes no new key; with the key it starts again", async () => {
  const place = await ownPlace();
  const file = join(place.folder, "sealing-keys");
  await (await startProduct(place)).stop();
  const key = await readFile(file, "utf8");
  await rm(file);
  expect(await expectStartRefused(place, EMBEDDED)).toBe(
    `${file} lacks the key k1, and connected companies cannot be reached without it: put the key back from a backup.\n`,
  );
  await expect(readFile(file)).rejects.toThrow("ENOENT");
  const stranger = `k1:${Buffer.alloc(32, 9).toString("base64")}`;
  expect(await expectStartRefused(place, { ...EMBEDDED, SEALING_KEYS: stranger })).toBe(
    "SEALING_KEYS has another key under the id k1, and connected companies cannot be reached without it: put the key back from a backup.\n",
  );
  await writeFile(file, key);
  await startProduct(place);
});

test("a new first key re-seals what the older one sealed, and then the older one can be removed", async () => {
  const place = await ownPlace();
  await (await startProduct(place)).stop();
  const old = (await readFile(join(place.folder, "sealing-keys"), "utf8")).trim();
  const fresh = `k2:${Buffer.alloc(32, 5).toString("base64")}`;
  const both = await startProduct(place, { ...EMBEDDED, SEALING_KEYS: `${fresh},${old}` });
  await expect.poll(() => both.output()).toContain("Tokens were sealed with the first key");
  await both.stop();
  const alone = await startProduct(place, { ...EMBEDDED, SEALING_KEYS: fresh });
  const browser = createBrowser(alone.url, driveIntuit(alone.intuitUrl));
  await browser.signIn("owner@acme.example");
  expect((await uploadRows(browser, ACME, invoiceRows(2, { prefix: "N" }))).status).toBe(202);
  const { companies } = (await browser.call(listCompanies)).json() as {
    companies: { id: string; connection: string }[];
  };
  expect(companies.find(({ id }) => id === ACME)?.connection).toBe("connected");
});

test("the simulators listen on the loopback only, receive none of our secrets, and end quietly when the product is killed", async () => {
  const place = await ownPlace();
  const product = await startProduct(place, { ...EMBEDDED, GROUP_ADMIN: "secret@dockside.example" });
  const outside = Object.values(networkInterfaces())
    .flat()
    .filter((address) => address && !address.internal && address.family === "IPv4");
  for (const address of outside)
    expect(await isListening(place.intuitPort, address?.address ?? "")).toBe(false);
  const [environment = ""] = findSimulators(place.folder);
  expect(environment).toContain(`SIM_INTUIT_PORT=${place.intuitPort}`);
  expect(environment).not.toMatch(/DATABASE_URL|SEALING_KEYS|GROUP_ADMIN|DATA_DIR=(?!.*simulators)/);
  const browser = createBrowser(product.url, driveIntuit(product.intuitUrl));
  await browser.signIn("owner@acme.example");
  await uploadRows(browser, ACME, invoiceRows(200, { prefix: "Q" }));
  const before = product.output();
  await product.kill();
  await expect.poll(() => isListening(place.intuitPort, "localhost")).toBe(false);
  await expect.poll(() => findSimulators(place.folder)).toEqual([]);
  expect(product.output()).toBe(before);
  // The next start takes its database and ends it.
  await startProduct(place);
});

/** Environments of the simulators that keep their state below a data folder, as `ps` shows them to their owner. */
function findSimulators(folder: string): string[] {
  const table = execFileSync("ps", ["-A", "e", "-o", "args="], { encoding: "utf8", maxBuffer: 2 ** 25 });
  return table
    .split("\n")
    .filter((line) => line.includes("simulators/main.ts") && line.includes(join(folder, "simulators")));
}

test("GEN-10 every error report that was answered is still stored after the process was killed", async () => {
  const database = await startExternalDatabase();
  const product = await startProduct(await ownPlace(), { DATABASE_URL: database.url, ROLES: "web" });
  const answered: string[] = [];
  const send = async () => {
    for (;;) {
      const id = randomUUID().replaceAll("-", "");
      const dsn = `${product.url.replace("://", "://local@")}/1`;
      const parts = [{ event_id: id, dsn }, { type: "event" }, { event_id: id, message: "It failed" }];
      const body = parts.map((part) => JSON.stringify(part)).join("\n");
      const headers = { origin: product.url, "content-type": "text/plain" };
      const reply = await fetch(`${product.url}/telemetry/errors`, { method: "POST", headers, body }).catch(
        () => null,
      );
      if (reply?.status !== 200) return;
      answered.push(id);
      if (answered.length === 30) await product.kill();
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
  expect(answered.length).toBeGreaterThanOrEqual(30);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ id: string }>(
    "select replace(id::text, '-', '') as id from error_report",
  );
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(answered));
});
