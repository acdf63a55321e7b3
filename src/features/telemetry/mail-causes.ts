import { MAILED_CAUSES } from "#features/telemetry/limits.ts";
import { takeNewCauses } from "#features/telemetry/store.ts";
import type { Notifying } from "#features/notices/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

const mailRun = defineRun({
  kind: "telemetry.mail-causes",
  lane: () => "telemetry:causes",
  every: "day",
  at: "07:05",
});

type MailCausesCtx = Ctx & Notifying & { listOperators(db: Db): Promise<string[]> };

/** The runs of error reports, where mail is sent. */
export const telemetryRuns = (ctx: MailCausesCtx): BoundRun[] => [bindRun(mailRun, mailCauses, ctx)];

/** Mails the operators about errors that were reported for the first time. Those wait while there is no operator. */
async function mailCauses(ctx: MailCausesCtx, { run }: RunWork): Promise<Ending> {
  await ctx.db.transaction().execute(async (tx) => {
    const operators = await ctx.listOperators(tx);
    if (operators.length === 0) return;
    const causes = await takeNewCauses(tx, ctx.clock.now());
    if (causes.length === 0) return;
    // Guests may send any text, so theirs is read in Admin only.
    const named = causes.filter(({ isOfGuests }) => !isOfGuests).slice(0, MAILED_CAUSES);
    const params = {
      causes: named.map(({ title, place, count }) => ({ title, place, count })),
      others: causes.length - named.length,
    };
    for (const recipient of operators)
      await ctx.notify(tx, { kind: "new_errors", realmId: run.realmId, recipient, params });
  });
  return { state: "done" };
}
