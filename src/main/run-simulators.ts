import { spawn } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const ENTRY = join(import.meta.dirname, "../../simulators/main.ts");
const START_MS = 20_000;

/**
 * Runs the simulators in their own process, so that the product reaches them only over the network.
 * @returns a function that stops them
 */
export async function runSimulators(options: {
  intuitPort: number;
  mailPort: number;
  /** Null if the real Stripe is used. */
  stripePort: number | null;
  /** Null where the real UPS is used. */
  upsPort: number | null;
  dataDir: string;
}): Promise<() => Promise<void>> {
  const compiled = getCompileCacheDir();
  const child = spawn(process.execPath, ["--max-old-space-size=256", "--max-semi-space-size=1", ENTRY], {
    // No other variables: our environment contains the database's password and the sealing keys.
    env: {
      // Reading our compiled sources halves the memory of a process that would otherwise strip types itself.
      ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) }),
      SIM_INTUIT_PORT: String(options.intuitPort),
      SIM_MAIL_PORT: String(options.mailPort),
      ...(options.stripePort === null ? {} : { SIM_STRIPE_PORT: String(options.stripePort) }),
      ...(options.upsPort === null ? {} : { SIM_UPS_PORT: String(options.upsPort) }),
      SIM_DATA_DIR: join(options.dataDir, "simulators"),
    },
    // Ctrl-C in the terminal reaches all processes; the simulators must outlive the product's last calls.
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await Promise.race([
    once(child.stdout, "data"),
    wait(START_MS, undefined, { ref: false }).then(() => refuse("The simulators did not start in time.")),
    ended.then(() => refuse("The simulators could not start; their reason is printed above.")),
  ]);
  return async () => {
    child.kill("SIGTERM");
    await ended;
  };
}

function refuse(reason: string): never {
  throw new Error(reason);
}
