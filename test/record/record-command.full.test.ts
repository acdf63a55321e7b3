import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort, freePorts } from "../support/free-ports.ts";
import { ACME, BAY, liftLimits, startIntuit } from "../support/intuit.ts";
import { startSftp } from "../support/sftp-server.ts";
import { startStripe } from "../support/stripe.ts";
import { startUps } from "../support/ups.ts";
import { answerFiles, documents } from "./retailer-answers.ts";

const ROOT = join(import.meta.dirname, "../..");

type Run = {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Signs in where a user would. @returns the address that the browser comes back to */
  visit?: (address: string) => Promise<URL>;
};

/** Runs `npm run record --` without npm, as a user does. @returns all that it printed, and its exit code */
async function runRecord({ args, env = {}, visit }: Run): Promise<{ output: string; code: number | null }> {
  const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env;
  const child = spawn(process.execPath, ["runtime/scripts/record.mjs", ...args], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill());
  let output = "";
  let failure: Error | null = null;
  const visited = new Set<string>();
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    for (const [address] of output.matchAll(/^http\S+(?=\n)/gm)) {
      if (!visit || visited.has(address)) continue;
      visited.add(address);
      visit(address)
        .then((back) => fetch(back))
        .catch((error: Error) => {
          failure = error;
          child.kill();
        });
    }
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  if (failure !== null) throw failure as Error;
  return { output, code };
}

const readPort = (url: string) => new URL(url).port;

/** Folders of recordings, which a simulator's never change. */
const listRecordings = async () =>
  (await readdir(join(ROOT, "simulators"), { recursive: true })).filter((path) =>
    path.includes("recordings"),
  );

/** Plays whose facts were printed. */
const listPlays = (output: string) =>
  [...output.matchAll(/^([\w-]+)\n {2}\S/gm)].flatMap(([, name]) => name ?? []);

async function expectGreen(run: Run): Promise<string> {
  const before = await listRecordings();
  const { output, code } = await runRecord(run);
  expect(output).toContain("This was the simulator, so nothing is written.");
  expect([code, await listRecordings()]).toEqual([0, before]);
  return output;
}

test("HA-11 npm run record -- intuit plays everything against the simulator, with webhooks of two companies, and deletes what it made", async () => {
  const intuit = await startIntuit();
  onTestFinished(() => intuit.close());
  for (const realmId of [ACME, BAY]) await liftLimits(intuit, realmId);
  const [port = 0, webhooks = 0] = await freePorts(2);
  await intuit.control("clients", {
    client_id: "dockside-demo",
    webhook_url: `http://localhost:${webhooks}/`,
  });
  const companies = [ACME, BAY];
  const output = await expectGreen({
    args: ["intuit", "--webhooks", String(webhooks)],
    env: { SIM_INTUIT_PORT: readPort(intuit.url), PORT: String(port) },
    visit: async (address) => {
      const { searchParams } = new URL(address);
      const read = (name: string) => searchParams.get(name) ?? "";
      const realmId = companies.shift() ?? "";
      const back = new URL(read("redirect_uri"));
      const code = await intuit.grant({
        email: "owner@acme.example",
        realmId,
        scope: read("scope"),
        redirectUri: back.href,
        nonce: read("nonce"),
      });
      back.search = new URLSearchParams({ code, realmId, state: read("state") }).toString();
      return back;
    },
  });
  expect(output).toContain("Everything made was deleted.");
  expect(output).toContain("events of both companies came: true");
  expect(listPlays(output)).toHaveLength(19);
});

test("npm run record refuses companies in production and unknown vendors", async () => {
  const refused = await runRecord({ args: ["intuit"], env: { INTUIT_ENVIRONMENT: "production" } });
  expect([refused.code, refused.output.includes("INTUIT_ENVIRONMENT is production")]).toEqual([1, true]);
  const unknown = await runRecord({ args: ["xero"] });
  expect([unknown.code, unknown.output.trim()]).toEqual([
    1,
    "Name a vendor: npm run record -- intuit | stripe | ups | retailer.",
  ]);
});

test("HA-11 npm run record -- ups plays everything against the simulator", async () => {
  const ups = await startUps();
  onTestFinished(() => ups.close());
  await ups.control("settings", { mode: "cie" }, "PATCH");
  const output = await expectGreen({
    args: ["ups", "--account", "1A2B3C", "--payer", "R9H77W", "--zip", "30339"],
    env: { SIM_UPS_PORT: readPort(ups.url), PORT: String(await freePort()) },
    visit: (address) => ups.signIn(address, "acme-shipping"),
  });
  expect(listPlays(output)).toHaveLength(7);
});

test("HA-11 npm run record -- stripe plays everything against the simulator", async () => {
  const stripe = await startStripe();
  onTestFinished(() => stripe.close());
  const output = await expectGreen({ args: ["stripe"], env: { SIM_STRIPE_PORT: readPort(stripe.url) } });
  expect(output).toContain("Everything made was deleted.");
  expect(listPlays(output)).toHaveLength(8);
});

test("HA-11 npm run record -- retailer sends its documents to an SFTP server on this machine", async () => {
  const sftp = await startSftp();
  answerFiles(sftp);
  const folder = await mkdtemp(join(tmpdir(), "dockside-documents-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [at, { bytes }] of documents.entries()) await writeFile(join(folder, `${at}.edi`), bytes);
  const account = ["--host", "127.0.0.1", "--port", String(sftp.port), "--user", "acme"];
  const output = await expectGreen({
    args: ["retailer", ...account, "--documents", folder],
    env: { RETAILER_SFTP_PASSWORD: "secret" },
  });
  expect(output).toContain('answered: ["TA1 R"]');
  expect(listPlays(output)).toHaveLength(3);
});
