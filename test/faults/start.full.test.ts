import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { getUser } from "#features/identity/contract.ts";
import { listUploads, type UploadList } from "#features/invoices/contract.ts";
import { createBrowser } from "../support/browser.ts";
import { ACME, driveIntuit } from "../support/intuit.ts";
import {
  productEnvironment,
  createInstance,
  SHORT_WRITE_WAITS,
  runProduct,
  spawnProduct,
  startProduct as startInPlace,
  untilClosed,
  type Identity,
  type Product,
  type ProductInstance,
} from "../support/run-product.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { invoiceRows } from "../support/workbooks.ts";
import { runToEnd } from "./support/run-to-end.ts";

/** The system's unprivileged user. */
const NOBODY = 65_534;

/** The exit of a start that is expected to end by itself. */
async function startAndEnd(env: Record<string, string>, identity?: Identity) {
  const { code, output } = await runToEnd(env, identity);
  return { code, lines: output.split("\n").filter((line) => line !== "") };
}

/** Free ports and a temporary folder, removed after the test. */
async function ownPlace(): Promise<ProductInstance> {
  const place = await createInstance();
  // Processes that were cut off write their last files a moment after the product has ended.
  onTestFinished(() => rm(place.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return place;
}

const environment = (place: ProductInstance) => ({
  ...productEnvironment(place),
  // This is about the embedded database, even if the tests run on an external one.
  DATABASE_URL: "",
});

/** Takes a port until the test ends. */
async function occupy(port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

const findPostmaster = async (folder: string) =>
  (await readFile(join(folder, "postgres/database/postmaster.pid"), "utf8")).split("\n")[0];

/** Files that are written when a database is made, and never again. */
async function madeIn(folder: string) {
  const { ino, mtimeMs } = await stat(join(folder, "postgres/database/PG_VERSION"));
  return { ino, mtimeMs };
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "localhost", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

test("a broken configuration is reported completely, one sentence for each fault, before anything starts", async () => {
  const place = await ownPlace();
  const { code, lines } = await startAndEnd({
    ...environment(place),
    PORT: "seventy",
    ROLES: "cook",
    LOG_LEVEL: "loud",
    INTUIT_CLIENT_ID: "half",
  });
  expect(code).toBe(1);
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["PORT", "ROLES", "LOG_LEVEL", "INTUIT_CLIENT_ID"]);
  for (const line of lines) expect(line).toMatch(/^[A-Z_]+ .*\.$/);
});

test("ports in use and a folder without permissions are reported together, each with its fix", async () => {
  const place = await ownPlace();
  await Promise.all([occupy(place.port), occupy(place.intuitPort)]);
  const locked = await mkdtemp(join(tmpdir(), "dockside-locked-"));
  onTestFinished(() => rm(locked, { recursive: true, force: true }));
  await chmod(locked, 0o555);
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const { code, lines } = await startAndEnd(
    { ...environment(place), DATA_DIR: join(locked, "data") },
    asNobody,
  );
  expect(code).toBe(1);
  expect(lines).toEqual([
    `The data folder ${locked}/data cannot be written: give this user rights to it, or set DATA_DIR to another folder.`,
    `Port ${place.port} is in use by another program: stop that program, or set PORT to another port.`,
    `Port ${place.intuitPort} is in use by another program: stop that program, or set SIM_INTUIT_PORT to another port.`,
  ]);
});

test("a start waits for ports that the simulators of a killed product still hold, and release a moment later", async () => {
  const place = await ownPlace();
  const simulators = createServer();
  await new Promise<void>((resolve) => simulators.listen(place.stripePort, "localhost", resolve));
  const running = runProduct(place);
  await wait(1_500);
  simulators.close();
  const product = await running;
  expect(product.isRunning()).toBe(true);
  expect((await product.stop()).code).toBe(0);
});

test("a data folder that is a file is reported in one sentence", async () => {
  const place = await ownPlace();
  const file = join(place.folder, "file");
  await writeFile(file, "");
  const { code, lines } = await startAndEnd({ ...environment(place), DATA_DIR: file });
  expect([code, lines.length]).toEqual([1, 1]);
  expect(lines[0]).toContain(`The data folder ${file} cannot be written`);
});

test("an unreachable database is tried for a minute, then reported in one sentence, without its password", async () => {
  const place = await ownPlace();
  const { code, lines } = await startAndEnd({
    ...environment(place),
    DATABASE_URL: "postgres://me:hunter2@localhost:1/books",
  });
  expect(code).toBe(1);
  const [sentence, ...warnings] = lines.toReversed();
  expect(sentence).toMatch(/^The database books at localhost:1 cannot be used: .*DATABASE_URL.*\.$/);
  expect(warnings.filter((line) => !line.includes("cannot be used yet"))).toEqual([]);
  expect(lines.join("")).not.toContain("hunter2");
});

test("malformed sealing keys are reported in one sentence, without their text", async () => {
  const place = await ownPlace();
  const { code, lines } = await startAndEnd({ ...environment(place), SEALING_KEYS: "k1:c2hvcnQ=" });
  expect([code, lines.length]).toEqual([1, 1]);
  expect(lines[0]).toMatch(/^SEALING_KEYS .*id:base64.*32 bytes.*\.$/);
  expect(lines[0]).not.toContain("c2hvcnQ");
});

test("a damaged stored sealing key is reported in one sentence, and is not overwritten", async () => {
  const place = await ownPlace();
  const file = join(place.folder, "sealing-keys");
  await writeFile(file, "damaged");
  const { code, lines } = await startAndEnd(environment(place));
  expect([code, lines.length]).toEqual([1, 1]);
  expect(lines[0]).toContain(file);
  expect(await readFile(file, "utf8")).toBe("damaged");
});

/** A product that is stopped when the test ends, whether it runs or not. Its first start makes its database. */
async function startProduct(place: ProductInstance, env: Record<string, string> = {}): Promise<Product> {
  const product = await startInPlace(place, { DATABASE_URL: "", ...SHORT_WRITE_WAITS, ...env });
  onTestFinished(async () => void (await product.stop()));
  return product;
}

test("Ctrl-C during an upload to a vendor that hangs ends everything, and the next start has the session, the upload and all invoices once", async () => {
  const place = await ownPlace();
  const first = await startProduct(place);
  const intuit = driveIntuit(first.intuitUrl);
  const browser = createBrowser(first.url, intuit);
  await browser.signIn("owner@acme.example");
  const before = (await intuit.invoices(ACME)).length;
  await intuit.control("faults", [{ fault: "hang", match: { operation: "batch" } }]);
  await uploadRows(browser, ACME, invoiceRows(60, { prefix: "S" }));
  const read = async () =>
    (await browser.call(listUploads, { query: { realm_id: ACME } })).json() as UploadList;
  const hanging = async () =>
    (await intuit.control<{ rules: { fired: number }[] }>("faults")).rules[0]?.fired;
  await expect.poll(hanging).toBeGreaterThan(0);
  const list = await read();
  expect(list.in_process).toBe(true);
  expect((await first.stop()).code).toBe(0);
  // The simulators end a moment after the product.
  const ports = [place.port, place.intuitPort];
  await expect.poll(() => Promise.all(ports.map(isListening))).toEqual([false, false]);

  const second = await startProduct(place);
  expect((await browser.call(getUser)).status).toBe(200);
  const settled = await settledUploads(browser, ACME);
  expect(settled.uploads[0]?.id).toBe(list.uploads[0]?.id);
  expect(settled.uploads[0]?.counts).toEqual({ total: 60, completed: 60, problems: 0, open: 0 });
  expect(await driveIntuit(second.intuitUrl).invoices(ACME)).toHaveLength(before + 60);
});

test("after kill -9 the next start adopts the database that is still running, creates none, and has all data", async () => {
  const place = await ownPlace();
  const first = await startProduct(place);
  const browser = createBrowser(first.url, driveIntuit(first.intuitUrl));
  await browser.signIn("owner@acme.example");
  const postmaster = await findPostmaster(place.folder);
  const made = await madeIn(place.folder);
  await first.kill();
  expect(await findPostmaster(place.folder)).toBe(postmaster);
  const second = await startProduct(place, { LOG_LEVEL: "info" });
  expect(await findPostmaster(place.folder)).toBe(postmaster);
  expect(await madeIn(place.folder)).toEqual(made);
  expect(second.output()).toContain("Adopted the embedded PostgreSQL that was running");
  expect((await browser.call(getUser)).status).toBe(200);
  expect((await second.stop()).code).toBe(0);
  // On a busy machine the product ends a moment before the database that it has asked to stop.
  await expect
    .poll(() =>
      findPostmaster(place.folder).then(
        () => "running",
        ({ code }: NodeJS.ErrnoException) => code,
      ),
    )
    .toBe("ENOENT");
});

test("Ctrl-C during the start ends it, and the next start works", async () => {
  const place = await ownPlace();
  for (const delayMs of [50, 600, 1_500]) {
    const { child } = spawnProduct(environment(place));
    onTestFinished(() => void child.kill("SIGKILL"));
    await wait(delayMs);
    const gone = untilClosed(child);
    child.kill("SIGINT");
    await gone;
    await expect.poll(() => isListening(place.intuitPort)).toBe(false);
  }
  const product = await startProduct(place);
  expect((await fetch(product.url)).status).toBe(200);
});

test("a second start in the same folder while the first runs shares the database and leaves it to the first", async () => {
  const place = await ownPlace();
  const other = await ownPlace();
  const first = await startProduct(place);
  const browser = createBrowser(first.url, driveIntuit(first.intuitUrl));
  await browser.signIn("owner@acme.example");
  await mkdir(other.folder, { recursive: true });
  const second = await startProduct({ ...other, folder: place.folder }, {});
  expect((await second.stop()).code).toBe(0);
  expect((await browser.call(getUser)).status).toBe(200);
});

/** Makes a product that gets SIGUSR2 stand for ever, and lists its processes in a file. */
const preloadStandstill = (listing: string) => `import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
if (isMainThread && process.argv[1]?.endsWith("src/main/start.ts")) {
  appendFileSync(${JSON.stringify(listing)}, \`\${process.pid}\\n\`);
  process.on("SIGUSR2", function standForEver() { for (;;); });
}
`;

/** A product that is killed sooner would be killed again: `npm start` does not start it again. */
const STEADY_MS = 30_000;

test(
  "UO-16 a product whose event loop hangs for 10 s is ended with its stack in the log, npm start starts it again, and its runs go on",
  { timeout: 300_000 },
  async () => {
    const place = await ownPlace();
    const folder = await mkdtemp(join(tmpdir(), "dockside-standstill-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [preload, listing] = [join(folder, "preload.mjs"), join(folder, "processes")];
    await writeFile(preload, preloadStandstill(listing));
    const npm = spawn("npm", ["start"], {
      cwd: join(import.meta.dirname, "../.."),
      env: {
        ...process.env,
        ...environment(place),
        ...SHORT_WRITE_WAITS,
        NODE_OPTIONS: `--import=${preload}`,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = untilClosed(npm);
    onTestFinished(async () => {
      npm.kill("SIGTERM");
      await closed;
    });
    let output = "";
    for (const stream of [npm.stdout, npm.stderr])
      stream.on("data", (part: Buffer) => (output += part.toString()));
    const starts = async () => ({
      processes: (await readFile(listing, "utf8").catch(() => "")).split("\n").filter((line) => line !== ""),
      running: output.split("is running").length - 1,
    });
    await expect.poll(async () => (await starts()).running, { timeout: 120_000 }).toBe(1);
    const steady = wait(STEADY_MS);

    const intuit = driveIntuit(`http://localhost:${place.intuitPort}`);
    const browser = createBrowser(`http://localhost:${place.port}`, intuit);
    await browser.signIn("owner@acme.example");
    const before = (await intuit.invoices(ACME)).length;
    await intuit.control("faults", [{ fault: "hang", match: { operation: "batch" } }]);
    await uploadRows(browser, ACME, invoiceRows(60, { prefix: "W" }));
    const hanging = async () =>
      (await intuit.control<{ rules: { fired: number }[] }>("faults")).rules[0]?.fired;
    await expect.poll(hanging, { timeout: 30_000 }).toBeGreaterThan(0);
    await steady;

    const [first] = (await starts()).processes;
    process.kill(Number(first), "SIGUSR2");
    await expect.poll(async () => (await starts()).running, { timeout: 120_000 }).toBe(2);
    const line = output.split("\n").find((text) => text.includes("The event loop stood still for 10 s"));
    expect(JSON.parse(line ?? "")).toMatchObject({
      level: 60,
      stack: expect.arrayContaining([expect.stringContaining("at standForEver (")]) as string[],
    });
    expect((await starts()).processes).toHaveLength(2);
    const settled = await settledUploads(browser, ACME);
    expect(settled.uploads[0]?.counts).toEqual({ total: 60, completed: 60, problems: 0, open: 0 });
    expect(await intuit.invoices(ACME)).toHaveLength(before + 60);
  },
);
