import { listUnsentMails } from "#features/notices/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Command } from "./command.ts";

export const reportCommands: Readonly<Record<string, Command>> = {
  "mail list": { usage: "", run: ({ ctx }) => listMails(ctx) },
};

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
