import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ConfigFaults, readConfig } from "#platform/config/read-config.ts";
import { recordCompany, writeRecordings, type Recording } from "./record-company.ts";
import { recordStripe } from "./record-stripe.ts";

const ROOT = join(import.meta.dirname, "../..");

const say = (text: string) => void process.stderr.write(`${text}\n`);

/** Asks the user to open an address, and waits until the browser comes back to ours. */
const visitByHand = (redirectUri: string) => (address: string) =>
  new Promise<URL>((resolve, reject) => {
    const home = new URL(redirectUri);
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", redirectUri);
      response.end("You can close this page.");
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

type RecordOptions = { config: ReturnType<typeof readConfig>; isLong: boolean };

/** Each answers with what it recorded, and whether that was the simulator. */
const VENDORS = {
  intuit: async ({ config: { intuit }, isLong }: RecordOptions) => {
    if (process.env["INTUIT_ENVIRONMENT"] === "production")
      throw new ConfigFaults(["Record a sandbox company only: INTUIT_ENVIRONMENT is production."]);
    const recordings = await recordCompany({
      target: { ...intuit },
      visit: visitByHand(intuit.redirectUri),
      say,
      ...(intuit.simulator ? {} : { keep: keepAt("intuit") }),
      ...(isLong ? { wait } : {}),
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
};

const isVendor = (name: string | undefined): name is keyof typeof VENDORS =>
  name !== undefined && Object.hasOwn(VENDORS, name);

/**
 * `npm run record -- intuit | stripe`: plays the open questions about a vendor in a test account; for Intuit with `--long`
 * also those that take two days. See docs/integrations/intuit.md.
 */
async function record(): Promise<void> {
  if (existsSync(join(ROOT, ".env"))) loadEnvFile(join(ROOT, ".env"));
  const options = { long: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [vendor] = positionals;
  if (!isVendor(vendor))
    throw new ConfigFaults([`Name a vendor: npm run record -- ${Object.keys(VENDORS).join(" | ")}.`]);
  const asked = { config: readConfig(process.env), isLong: values.long };
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
