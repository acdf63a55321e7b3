import { readFileSync } from "node:fs";

/** Variables that may contain a password or a key: their faults are described without the value. */
export const SECRETS: ReadonlySet<string> = new Set([
  "DATABASE_URL",
  "MIGRATION_DATABASE_URL",
  "SEALING_KEYS",
  "INTUIT_CLIENT_SECRET",
  "INTUIT_VERIFIER_TOKEN",
  "SMTP_URL",
  "STRIPE_SECRET_KEY",
  "UPS_CLIENT_SECRET",
  "UPS_ALERT_CLIENT_SECRET",
  "STRIPE_WEBHOOK_SECRETS",
  "METRICS_TOKEN",
  "OBJECTS_S3_SECRET",
]);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads secrets from files, as Docker and systemd provide them: the file named by `NAME_FILE` holds the value of `NAME`.
 * Adds a sentence to `faults` for each secret that can't be read.
 * @returns the environment with these secrets in place
 */
export function readSecretFiles(environment: Environment, faults: string[]): Environment {
  const found = { ...environment };
  for (const name of SECRETS) {
    const file = environment[`${name}_FILE`];
    if (!file) continue;
    if (environment[name]) {
      faults.push(`${name} and ${name}_FILE are both set: set one of them.`);
      continue;
    }
    const { text, fault } = readText(file);
    if (text) found[name] = text;
    else faults.push(`${name}_FILE is "${file}": ${fault ?? "the file is empty"}.`);
  }
  return found;
}

/** @returns the text without surrounding white space, or why the file can't be read */
function readText(file: string): { text?: string; fault?: string } {
  try {
    return { text: readFileSync(file, "utf8").trim() };
  } catch (error) {
    // A file that a container gets keeps its owner and mode, and the container has a user of its own.
    const isRefused = (error as NodeJS.ErrnoException).code === "EACCES";
    return {
      fault: isRefused
        ? `it can't be read by user ${process.getuid?.()}, as whom this runs: change its mode or its owner`
        : "it can't be read",
    };
  }
}
