import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ConfigFaults, readConfig } from "#platform/config/read-config.ts";
import { recordCompany, writeRecordings, type Recording } from "./record-company.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "simulators/intuit/recordings");

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

/**
 * `npm run record:intuit`: plays the open questions about Intuit on a sandbox company, with `--long` also those that take
 * two days. See docs/integrations/intuit.md.
 */
async function record(): Promise<void> {
  if (existsSync(join(ROOT, ".env"))) loadEnvFile(join(ROOT, ".env"));
  if (process.env["INTUIT_ENVIRONMENT"] === "production")
    throw new ConfigFaults(["Record a sandbox company only: INTUIT_ENVIRONMENT is production."]);
  const { intuit } = readConfig(process.env);
  const target = { ...intuit };
  const { values } = parseArgs({ options: { long: { type: "boolean", default: false } } });
  const visit = visitByHand(intuit.redirectUri);
  // Findings are saved at once: days may pass until the last play.
  const keep = async (recorded: readonly Recording[]) =>
    intuit.simulator ? undefined : writeRecordings(FOLDER, recorded);
  const recordings = await recordCompany({ target, visit, say, keep, ...(values.long ? { wait } : {}) });
  for (const { name, facts } of recordings)
    say(
      `\n${name}\n${Object.entries(facts)
        .map(([fact, value]) => `  ${fact}: ${JSON.stringify(value)}`)
        .join("\n")}`,
    );
  if (intuit.simulator) return say("\nThis was the simulated Intuit, so nothing is written.");
  say(`\nWritten to ${FOLDER}. Read the files before you commit them.`);
}

try {
  await record();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
