import { findContacts } from "#features/companies/index.ts";
import type { DifferencesCtx, Found, Vendor } from "#features/differences/ctx.ts";
import { describeDifference } from "#features/differences/sentences.ts";
import { listCompaniesToCompare, saveComparison } from "#features/differences/store.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

/** Before the nightly sync with Stripe, which records what Stripe says. */
const compareRun = defineRun({
  kind: "differences.compare",
  lane: () => "differences:all",
  every: "day",
  at: "01:53",
});

export const differenceRuns = (ctx: DifferencesCtx): BoundRun[] => [bindRun(compareRun, compareRecords, ctx)];

const VENDORS: readonly Vendor[] = ["ups", "stripe", "quickbooks"];

/**
 * Compares the records of every company with the vendors'. Nothing is changed by it: what differs is listed in Settings with a
 * cure, and what is new is mailed to the company's admin. A vendor that doesn't answer is compared tomorrow.
 */
async function compareRecords(ctx: DifferencesCtx, { run, stop }: RunWork): Promise<Ending> {
  for (const realmId of await listCompaniesToCompare(ctx.db)) {
    if (stop.aborted) return { state: "queued" };
    await compareCompany(ctx, realmId);
    run.noteProgress?.();
  }
  return { state: "done" };
}

async function compareCompany(ctx: DifferencesCtx, realmId: string): Promise<void> {
  const fresh: Found[] = [];
  for (const vendor of VENDORS) {
    try {
      const comparison = await ctx.compare[vendor](realmId);
      if (!comparison) continue;
      const place = { realmId, vendor, now: ctx.clock.now(), makeId: () => ctx.ids.uuid() };
      const found = await ctx.db.transaction().execute((tx) => saveComparison(tx, place, comparison));
      fresh.push(...found.filter(({ isMailed }) => !isMailed));
    } catch (error) {
      ctx.log.warn({ err: error, realm: realmId, vendor }, "A company's records could not be compared");
    }
  }
  if (fresh.length === 0) return;
  await ctx.db.transaction().execute(async (tx) => {
    const { company, recipients } = await findContacts(tx, realmId);
    const differences = fresh.map((difference) => Object.values(describeDifference(difference)).join(" "));
    for (const recipient of recipients)
      await ctx.notify(tx, { kind: "records_differ", realmId, recipient, params: { company, differences } });
  });
}
