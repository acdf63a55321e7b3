import { verifyTrails } from "#features/audit/index.ts";
import { listUnsentMails } from "#features/notices/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { OperatorError, type Command } from "./command.ts";

export const reportCommands: Readonly<Record<string, Command>> = {
  "trail verify": { usage: "", run: ({ ctx }) => verifyTrail(ctx) },
  "mail list": { usage: "", run: ({ ctx }) => listMails(ctx) },
};

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
