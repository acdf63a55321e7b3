import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { postInvoices, type UploadList } from "#features/invoices/contract.ts";
import { createBrowser } from "../support/browser.ts";
import { createTestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-ports.ts";
import { ACME, driveIntuit } from "../support/intuit.ts";
import { createInstance, productEnvironment, removeInstance, untilClosed } from "../support/run-product.ts";
import { settledUploads, uploadRows } from "../support/uploads.ts";
import { invoiceLine } from "../support/workbooks.ts";

const ROOT = join(import.meta.dirname, "../..");
const NOBODY = 65_534;
/** Tests that don't run as root run everything as their own user. */
const ORDINARY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

let release = "";

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "dockside-release-"));
  release = join(folder, "release");
  execFileSync(process.execPath, [join(ROOT, "runtime/scripts/build.mjs"), release], { stdio: "pipe" });
  execFileSync("chmod", ["-R", "a-w,a+rX", folder]);
});

afterAll(async () => {
  execFileSync("chmod", ["-R", "u+w", join(release, "..")]);
  await rm(join(release, ".."), { recursive: true, force: true });
});

/** Runs a program of the release as an ordinary user, with no other variables than these. */
function runRelease(file: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(release, file), ...args], {
    cwd: release,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...ORDINARY,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => (output += part.toString()));
  return { child, output: () => output };
}

/** The tests' database may listen on a socket in a folder of their own. */
async function openSocket(databaseUrl: string): Promise<void> {
  const socket = new URL(databaseUrl).searchParams.get("host") ?? "";
  for (let folder = socket; folder.startsWith(`${tmpdir()}/`); folder = dirname(folder))
    await chmod(folder, (await stat(folder)).mode | 0o011);
}

/** The product of the release, on a database and simulators of its own. */
async function startRelease(more: Record<string, string> = {}) {
  const [database, place] = await Promise.all([createTestDatabase(), createInstance()]);
  if (ORDINARY.uid) await chown(place.folder, NOBODY, NOBODY);
  await openSocket(database.url);
  const env = { ...productEnvironment(place), DATABASE_URL: database.url, ...more };
  const { child, output } = runRelease("src/main/start.ts", [], env);
  onTestFinished(async () => {
    await end(child);
    await database.drop();
    await removeInstance(place);
  });
  await expect.poll(() => child.exitCode !== null || output().includes("is running")).toBe(true);
  expect(output()).toContain("is running");
  const [url, intuitUrl] = [`http://localhost:${place.port}`, `http://localhost:${place.intuitPort}`];
  return { env, url, intuit: driveIntuit(intuitUrl) };
}

async function end(child: ChildProcess): Promise<void> {
  const closed = untilClosed(child);
  if (child.exitCode === null && child.kill("SIGINT")) await closed;
}

test("OP-07 the release runs from a folder that can't be written, as an ordinary user, without a build tool", async () => {
  const { url, env, intuit } = await startRelease();
  const browser = createBrowser(url, intuit);
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ ready: true });
  await browser.signIn("owner@acme.example");
  await uploadRows(browser, ACME, [invoiceLine("R-1")]);
  const { uploads }: UploadList = await settledUploads(browser, ACME);
  expect(uploads[0]?.counts).toMatchObject({ completed: 1 });
  const listed = runRelease("src/main/operate.ts", ["user", "list"], env);
  await untilClosed(listed.child);
  expect(listed.output()).toContain("owner@acme.example\tOlive Owner");
});

test("OP-08 the file of a secret that the product's user may not read is named, with that user", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dockside-secret-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "keys");
  await chmod(folder, 0o755);
  await writeFile(file, "k1:AAAA", { mode: 0 });
  const { child, output } = runRelease("src/main/start.ts", [], { SEALING_KEYS_FILE: file });
  await untilClosed(child);
  expect([child.exitCode, output()]).toEqual([
    1,
    expect.stringContaining(
      `SEALING_KEYS_FILE is "${file}": it can't be read by user ${ORDINARY.uid ?? process.getuid?.()}`,
    ),
  ]);
  expect(output()).not.toContain("k1:AAAA");
});

test("OP-03 a backup that the product's user may not read is refused with that user", async () => {
  const database = await createTestDatabase();
  const backup = await mkdtemp(join(tmpdir(), "dockside-backup-"));
  onTestFinished(async () => {
    await rm(backup, { recursive: true, force: true });
    await database.drop();
  });
  await openSocket(database.url);
  await chmod(backup, 0);
  const { child, output } = runRelease("src/main/operate.ts", ["restore", backup], {
    DATABASE_URL: database.url,
    SEALING_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
  });
  await untilClosed(child);
  const user = ORDINARY.uid ?? process.getuid?.();
  expect([child.exitCode, output().trim()]).toEqual([
    1,
    `${backup} can't be read by user ${user}, as whom this runs: change its owner.`,
  ]);
});

test("OP-07 the release has the packages of the server only, lists them as CycloneDX, and stays below 120 MB", async () => {
  const parts = JSON.parse(await readFile(join(release, "sbom.json"), "utf8")) as {
    bomFormat: string;
    components: { name: string }[];
  };
  const names = parts.components.map(({ name }) => name);
  expect(parts.bomFormat).toBe("CycloneDX");
  expect(names).toEqual(expect.arrayContaining(["fastify", "pg", "zod"]));
  expect(names.filter((name) => /^(vite|react|react-dom|typescript|vitest|@mui\/.*)$/.test(name))).toEqual(
    [],
  );
  // Each of them has its reason in docs/decisions/0042-a-release-is-not-bundled.md.
  expect(names.length).toBeLessThanOrEqual(122);
  const files = (await readdir(release, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000_000);
});

test("the example proxy passes files of 25 MB and event streams on, and callers can't forge their address", async ({
  skip,
}) => {
  const caddy = findCaddy();
  skip(caddy === null, "no Caddy is installed");
  const port = await freePort();
  const proxied = `http://localhost:${port}`;
  const { url, intuit } = await startRelease({ TRUST_PROXY: "1", PUBLIC_URL: proxied });
  const browser = createBrowser(proxied, intuit);
  const home = await mkdtemp(join(tmpdir(), "dockside-proxy-"));
  const proxy = spawn(caddy ?? "", ["run", "--config", join(release, "deploy/Caddyfile")], {
    env: { HOME: home, DOCKSIDE_ADDRESS: proxied, DOCKSIDE_WEB: new URL(url).host },
    stdio: "ignore",
  });
  onTestFinished(async () => {
    await end(proxy);
    await rm(home, { recursive: true, force: true });
  });
  const status = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, proxied), { headers }).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(() => status("/healthz")).toBe(200);
  // Facts are for this machine: callers who come through the proxy are not, whatever they claim.
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
  expect(await status("/metrics")).not.toBe(200);
  expect(await status("/metrics", { "X-Forwarded-For": "127.0.0.1" })).not.toBe(200);
  await browser.signIn("owner@acme.example");
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const send = async (bytes: number) => {
    const body = new FormData();
    body.set("file", new Blob([new Uint8Array(bytes)]), "large.xlsx");
    const target = new URL(`${postInvoices.path}?realm_id=${ACME}`, proxied);
    const answer = await fetch(target, { method: "POST", body, headers: { cookie, origin: proxied } });
    return { status: answer.status, type: answer.headers.get("content-type") };
  };
  // Our own answers: such a file isn't a workbook, and a larger one is too large.
  for (const bytes of [24_000_000, 27_000_000])
    expect(await send(bytes)).toEqual({
      status: expect.toSatisfy((code: number) => code >= 400 && code < 500),
      type: expect.stringContaining("problem+json"),
    });
  const stream = await fetch(new URL("/api/v1/changes", proxied), { headers: { cookie } });
  const reader = stream.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("retry: ");
  await reader?.cancel();
});

function findCaddy(): string | null {
  try {
    return execFileSync("which", ["caddy"], { encoding: "utf8" }).trim();
  } catch {
    return null;
  }
}
