import { sql } from "kysely";
import * as contract from "#features/companies/contract.ts";
import { withAudit, type Caller } from "#features/companies/index.ts";
import type { LabelsCtx } from "#features/labels/index.ts";
import type { Db } from "#platform/db/connect.ts";
import { notFound } from "#platform/errors.ts";
import type { Mount } from "#platform/http/mount.ts";
import { findInstallationId } from "./sweep.ts";
import { callControl, controlSimulator, seedDemo, type Demo } from "./seed-demo.ts";

/** Serves the reset of the demo, for its checklist of first steps. */
export function resetRoute(mount: Mount<Caller>, application: Demo & { labels: LabelsCtx }): void {
  const { config, ctx } = application;
  mount(contract.resetDemo, async (_input, call) => {
    if (!config.simulators) throw notFound("There is no demo here to reset.");
    await resetDemo(application);
    await withAudit(ctx, call).audit(ctx.db, { action: "admin.reset_demo" });
  });
}

/**
 * Resets the demo to its initial state: the simulators' books and our companies with all their data. Users
 * stay signed in. Work in progress loses its rows and ends.
 */
async function resetDemo(application: Demo & { labels: LabelsCtx }): Promise<void> {
  const { config, ctx } = application;
  if (!config.simulators) throw new Error("Only the demo may be reset.");
  await controlSimulator(config, "reset", {});
  if (config.mail) await controlSimulator(config, "mail/reset", {});
  if (config.stripe?.simulator) await callControl(config.stripe.apiBaseUrl, "reset", {});
  if (config.ups && config.simulators) await callControl(config.ups.baseUrl, "reset", {});
  // A file may arrive while the folder is emptied.
  const { objects, journal } = application.labels;
  if (await objects.belongsTo(await findInstallationId(ctx)))
    for await (const key of objects.list()) await objects.remove(key);
  await clearCompanies(ctx.db);
  await journal.clear();
  await seedDemo(application);
}

/** Shorter than PostgreSQL's delay before deadlock detection, which is a second. */
const LOCK_MS = 500;
const MAX_ATTEMPTS = 20;

/**
 * Work in progress and this reset can wait for each other's locks. This one then gives up and retries,
 * because PostgreSQL would cancel one of the two, usually the other.
 */
async function clearCompanies(db: Db): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(tx);
        await sql`truncate company, contact_message, kept_answer, notice_mail, write, service_price, service_trial, stripe_event,
          stripe_cursor, vendor_message cascade`.execute(tx);
        // The system's periodic runs are only added at a start.
        await sql`delete from run where realm_id <> ''`.execute(tx);
      });
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE || tries === MAX_ATTEMPTS) throw error;
    }
  }
}

/** PostgreSQL's error code for a lock timeout. */
const LOCK_NOT_AVAILABLE = "55P03";
