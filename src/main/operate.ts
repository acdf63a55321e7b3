import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadEnvFile } from "node:process";
import { parseArgs } from "node:util";
import * as z from "zod";
import { auditBy, verifyTrails } from "#features/audit/index.ts";
import { changeService } from "#features/companies/index.ts";
import { applyUserCommand } from "#features/identity/index.ts";
import { listUnsentMails } from "#features/notices/index.ts";
import * as contract from "#features/companies/contract.ts";
import { systemClock } from "#platform/clock.ts";
import { ConfigFaults, readConfig } from "#platform/config/read-config.ts";
import type { Ctx } from "#platform/ctx.ts";
import { connectDatabase, WORK_LIMITS } from "#platform/db/connect.ts";
import { EmbeddedPostgresFailure } from "#platform/db/embedded/failure.ts";
import { startEmbeddedPostgres } from "#platform/db/embedded/start-embedded.ts";
import { AppError } from "#platform/errors.ts";
import { systemIds } from "#platform/ids.ts";
import { createLog } from "#platform/log.ts";
import { findVersionFault } from "./find-database-fault.ts";

const ROOT = join(import.meta.dirname, "../..");

const USAGE = `What to do:
  service grant REALM_ID ${contract.SERVICES.join("|")} --reason TEXT [--until 2027-01-31T00:00:00Z]
  service end REALM_ID ${contract.SERVICES.join("|")} --reason TEXT
  user sign-out|block|unblock EMAIL
  trail verify
  mail list
It works on the database of this configuration, whether the product runs or not.`;

/** A refusal shown to the operator who runs the command. */
class OperatorError extends Error {}

/** Runs the command in the arguments. @returns the text to print */
async function operate(ctx: Ctx, args: readonly string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { reason: { type: "string" }, until: { type: "string" } },
  });
  const [noun, verb, realmId, service] = positionals;
  if (noun === "user" && (verb === "sign-out" || verb === "block" || verb === "unblock") && realmId)
    return changeUser(ctx, verb, realmId);
  if (noun === "trail" && verb === "verify") return verifyTrail(ctx);
  if (noun === "mail" && verb === "list") return listMails(ctx);
  if (noun === "service" && (verb === "grant" || verb === "end"))
    return setService(ctx, {
      ...values,
      realm_id: realmId,
      service,
      state: verb === "grant" ? "active" : "ended",
    });
  throw new OperatorError(USAGE);
}

const USER_REPORTS = { "sign-out": "was signed out", block: "is blocked", unblock: "can sign in again" };

async function changeUser(ctx: Ctx, command: keyof typeof USER_REPORTS, email: string): Promise<string> {
  const audited = auditBy(ctx, { userId: null, realmId: null, requestId: `operator ${ctx.ids.uuid()}` });
  const count = await applyUserCommand({ ...ctx, ...audited }, command, email);
  const devices = command === "unblock" ? "" : ` Devices signed out: ${count}.`;
  return `${email} ${USER_REPORTS[command]}.${devices}`;
}

async function setService(ctx: Ctx, asked: Record<string, unknown>): Promise<string> {
  const change = z.safeParse(contract.changeService.body, asked);
  if (!change.success)
    throw new OperatorError(
      `${change.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n")}\n\n${USAGE}`,
    );
  const { realm_id: realmId, service, state, until } = change.data;
  const audited = auditBy(ctx, { userId: null, realmId, requestId: `operator ${ctx.ids.uuid()}` });
  await changeService({ ...ctx, ...audited }, change.data);
  return `${service} of ${realmId} is ${state}${until === null ? "" : ` until ${until}`}.`;
}

/** @throws OperatorError with the same lines if a trail is inconsistent */
async function verifyTrail({ db }: Ctx): Promise<string> {
  const trails = await verifyTrails(db);
  const lines = trails.map(
    ({ realmId, entries, lastHash, fault }) =>
      `${realmId || "(no company)"} ${entries} ${lastHash} ${fault ?? "fits"}`,
  );
  const report = ["company, entries that fit, hash of the last, outcome", ...lines].join("\n");
  if (trails.some(({ fault }) => fault !== null)) throw new OperatorError(report);
  return report;
}

const LISTED_MAILS = 200;

/** Lists unsent mails, each with its cause. */
async function listMails({ db }: Ctx): Promise<string> {
  const mails = await listUnsentMails(db, LISTED_MAILS);
  if (mails.length === 0) return "Every mail was sent.";
  const lines = mails.map(
    ({ at, realmId, kind, recipient, state, cause }) =>
      `${at.toISOString()} ${realmId} ${kind} ${recipient} ${state.replaceAll("_", " ")}${cause === null ? "" : `: ${cause}`}`,
  );
  return ["when, company, mail, to, state", ...lines].join("\n");
}

async function run(): Promise<string> {
  if (existsSync(join(ROOT, ".env"))) loadEnvFile(join(ROOT, ".env"));
  const config = readConfig(process.env);
  const log = createLog("error");
  const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  const connectionString = config.databaseUrl ?? embedded?.connectionString ?? "";
  const { db, close } = connectDatabase(connectionString, log, { ...WORK_LIMITS, max: 2 });
  try {
    const fault = await findVersionFault(db);
    if (fault) throw new OperatorError(fault);
    return await operate({ db, clock: systemClock, ids: systemIds, log }, process.argv.slice(2));
  } finally {
    await close();
    await embedded?.stop();
  }
}

/** Describes an error of the arguments or the environment as a sentence; a bug keeps its stack. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
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
