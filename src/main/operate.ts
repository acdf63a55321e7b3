import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import { parseArgs } from "node:util";
import { systemClock } from "#platform/clock.ts";
import { ConfigFaults, readConfig } from "#platform/config/read-config.ts";
import { connectDatabase, WORK_LIMITS } from "#platform/db/connect.ts";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { AppError } from "#platform/errors.ts";
import { systemIds } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { findVersionFault } from "./find-database-fault.ts";
import { companyCommands } from "./operator/company-commands.ts";
import { databaseCommands } from "./operator/database-commands.ts";
import { OperatorError, UsageError, type Command } from "./operator/command.ts";
import { reportCommands } from "./operator/report-commands.ts";
import { userCommands } from "./operator/user-commands.ts";

const ROOT = join(import.meta.dirname, "../..");

const COMMANDS: Readonly<Record<string, Command>> = {
  ...databaseCommands,
  ...companyCommands,
  ...userCommands,
  ...reportCommands,
};

const USAGE = `What to do:
${Object.entries(COMMANDS)
  .map(([name, { usage }]) => `  ${`${name} ${usage}`.trim()}`)
  .join("\n")}
It works on the database of this configuration, whether the product runs or not.`;

async function run(): Promise<string> {
  if (existsSync(join(ROOT, ".env"))) loadEnvFile(join(ROOT, ".env"));
  const { positionals, values: options } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { reason: { type: "string" }, until: { type: "string" }, name: { type: "string" } },
  });
  // A command is one word or two.
  const words = positionals[0] !== undefined && positionals[0] in COMMANDS ? 1 : 2;
  const command = COMMANDS[positionals.slice(0, words).join(" ")];
  if (!command) throw new UsageError();
  const config = readConfig(process.env);
  const log = createLog("error");
  const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  const connectionString = config.databaseUrl ?? embedded?.connectionString ?? "";
  const { db, close } = connectDatabase(connectionString, log, { ...WORK_LIMITS, max: 2 });
  try {
    const fault = await findVersionFault(db);
    if (fault) throw new OperatorError(fault);
    const ctx = { db, clock: systemClock, ids: systemIds, log };
    return await command.run({ config, connectionString, ctx }, positionals.slice(words), options);
  } finally {
    await close();
    await embedded?.stop();
  }
}

/** Describes an error of the arguments or the environment as a sentence; a bug keeps its stack. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError) return [error.message, USAGE].filter(Boolean).join("\n\n");
  const isKnown = [OperatorError, AppError, ConfigFaults, EmbeddedPostgresFailure].some(
    (kind) => error instanceof kind,
  );
  const isArgument = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  return isKnown || isArgument ? error.message : (error.stack ?? error.message);
}

try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exitCode = 1;
}
