import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { systemClock } from "#platform/clock.ts";
import { ConfigFaults, readConfig } from "#platform/config/read-config.ts";
import { recordCompany, writeRecordings, type Recording } from "./record-company.ts";
import { recordRetailer } from "./record-retailer.ts";
import { recordUps } from "./record-ups.ts";
import { recordStripe } from "./record-stripe.ts";

const ROOT = join(import.meta.dirname, "../..");

const say = (text: string) => void process.stderr.write(`${text}\n`);

/** Asks the user to open an address, and waits until the browser comes back to ours. */
const visitByHand = (redirectUri: string) => (address: string) =>
  new Promise<URL>((resolve, reject) => {
    const home = new URL(redirectUri);
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", redirectUri);
      response.setHeader("Connection", "close").end("You can close this page.");
      if (url.pathname !== home.pathname) return;
      server.close();
      resolve(url);
    });
    server.once("error", reject);
    server.listen(Number(home.port || 80), home.hostname, () =>
      say(`Open this address, sign in and choose a sandbox company:\n${address}`),
    );
  });

type Keep = (vendor: string) => (recorded: readonly Recording[]) => Promise<void>;

// Findings are saved at once: with `--long`, days may pass until the last play.
const keepAt: Keep = (vendor) => (recorded) =>
  writeRecordings(join(ROOT, "simulators", vendor, "recordings"), recorded);

type RecordOptions = {
  config: ReturnType<typeof readConfig>;
  isLong: boolean;
  /** Options with a value, by name. */
  given: Readonly<Record<string, string | undefined>>;
};

/** Values that only the user knows. @throws ConfigFaults that names what is missing */
function need(given: RecordOptions["given"], names: readonly string[]): string[] {
  const missing = names.filter((name) => !given[name]);
  if (missing.length > 0)
    throw new ConfigFaults(
      missing.map((name) => `Add --${name} with its value: docs/integrations/ups.md says which.`),
    );
  return names.map((name) => given[name] ?? "");
}

/** A port where the app's webhooks arrive. @throws ConfigFaults if nothing could verify them */
function readWebhooks(port: string | undefined, verifierToken: string | null) {
  if (port === undefined) return {};
  if (!verifierToken)
    throw new ConfigFaults(["Set INTUIT_VERIFIER_TOKEN, which Intuit shows beside the webhook address."]);
  return { webhooks: { port: Number(port), verifierToken } };
}

/** Each answers with what it recorded, and whether that was the simulator. */
const VENDORS = {
  intuit: async ({ config: { intuit }, isLong, given }: RecordOptions) => {
    if (process.env["INTUIT_ENVIRONMENT"] === "production")
      throw new ConfigFaults(["Record a sandbox company only: INTUIT_ENVIRONMENT is production."]);
    const recordings = await recordCompany({
      target: { ...intuit },
      visit: visitByHand(intuit.redirectUri),
      say,
      ...(intuit.simulator ? {} : { keep: keepAt("intuit") }),
      ...(isLong ? { wait } : {}),
      ...readWebhooks(given["webhooks"], intuit.verifierToken),
      ...(given["only"] === undefined ? {} : { only: given["only"].split(",") }),
    });
    return { recordings, isSimulator: intuit.simulator };
  },
  stripe: async ({ config: { stripe } }: RecordOptions) => {
    if (!stripe || stripe.isLive)
      throw new ConfigFaults([
        "Record a test account only: set STRIPE_SECRET_KEY to a key that begins with sk_test_.",
      ]);
    const recordings = await recordStripe({
      target: stripe,
      now: new Date(),
      say,
      ...(stripe.simulator ? {} : { keep: keepAt("stripe") }),
    });
    return { recordings, isSimulator: stripe.simulator };
  },
  ups: async ({ config: { ups }, given }: RecordOptions) => {
    if (!ups || ups.baseUrl.includes("onlinetools"))
      throw new ConfigFaults([
        "Record UPS's test environment only: set UPS_CLIENT_ID and UPS_CLIENT_SECRET, and UPS_ENVIRONMENT=test.",
      ]);
    const isSimulator = isHere(new URL(ups.baseUrl).hostname);
    const [account = ""] = need(given, ["account"]);
    const { payer, zip, delivered = null } = given;
    const recordings = await recordUps({
      target: { ...ups, account },
      more: { payer: payer && zip ? { account: payer, zip } : null, delivered },
      visit: visitByHand(ups.redirectUri),
      say,
      ...(isSimulator ? {} : { keep: keepAt("ups") }),
    });
    return { recordings, isSimulator };
  },
  retailer: async ({ given }: RecordOptions) => {
    const [host = "", user = "", folder = ""] = need(given, ["host", "user", "documents"]);
    const password = process.env["RETAILER_SFTP_PASSWORD"];
    if (!password)
      throw new ConfigFaults(["Set RETAILER_SFTP_PASSWORD to the password of the test account."]);
    const recordings = await recordRetailer({
      account: {
        host,
        port: Number(given["port"] ?? 22),
        user,
        secret: { password },
        folderIn: given["in"] ?? "in",
        folderOut: given["out"] ?? "out",
      },
      options: { clock: systemClock, answerMs: 30_000, totalMs: 3_600_000, allowPrivate: true },
      documents: await readDocuments(folder),
      wait,
      say,
      ...(isHere(host) ? {} : { keep: keepAt("retailer") }),
    });
    return { recordings, isSimulator: isHere(host) };
  },
};

/** Whether a host is this machine, where simulators are. */
const isHere = (host: string) => ["localhost", "127.0.0.1"].includes(host);

/** Documents as the product wrote them; each has its type behind ST. */
async function readDocuments(folder: string) {
  const names = (await readdir(folder)).toSorted();
  const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
  return files.map((bytes) => ({ type: /ST[^\w](\d{3})/.exec(bytes.toString())?.[1] ?? "other", bytes }));
}

const isVendor = (name: string | undefined): name is keyof typeof VENDORS =>
  name !== undefined && Object.hasOwn(VENDORS, name);

/**
 * `npm run record -- intuit | stripe | ups | retailer`: plays the open questions about a vendor in a test account; for Intuit
 * with `--long` also those that take two days, with `--webhooks PORT` also those that need webhooks, with `--only NAME,…` no
 * others. See docs/integrations/intuit.md.
 */
async function record(): Promise<void> {
  if (existsSync(join(ROOT, ".env"))) loadEnvFile(join(ROOT, ".env"));
  const text = { type: "string" } as const;
  const options = {
    long: { type: "boolean", default: false },
    account: text,
    payer: text,
    zip: text,
    delivered: text,
    host: text,
    port: text,
    user: text,
    in: text,
    out: text,
    documents: text,
    webhooks: text,
    only: text,
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [vendor] = positionals;
  if (!isVendor(vendor))
    throw new ConfigFaults([`Name a vendor: npm run record -- ${Object.keys(VENDORS).join(" | ")}.`]);
  const { long: isLong, ...given } = values;
  const asked = { config: readConfig(process.env), isLong, given };
  const { recordings, isSimulator } = await VENDORS[vendor](asked);
  for (const { name, facts } of recordings)
    say(
      `\n${name}\n${Object.entries(facts)
        .map(([fact, value]) => `  ${fact}: ${JSON.stringify(value)}`)
        .join("\n")}`,
    );
  if (isSimulator) return say("\nThis was the simulator, so nothing is written.");
  say(`\nWritten to simulators/${vendor}/recordings. Read the files before you commit them.`);
}

try {
  await record();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
