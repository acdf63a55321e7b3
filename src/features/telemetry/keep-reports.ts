import { MAX_REPORTS_PER_USER, MEASURE_SHARE } from "#features/telemetry/limits.ts";
import { addReports, removeReports, type ErrorReport } from "#features/telemetry/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";

/** Reports of one statement. */
const MAX_TOGETHER = 100;

export type KeepReport = (report: ErrorReport) => Promise<void>;

type Waiting = { report: ErrorReport; resolve: () => void; reject: (error: unknown) => void };

/**
 * Creates the function that stores a report, and returns when it is committed. Reports that arrive while others are being
 * stored share the next statement and commit, so that a flood of errors costs the database little. One user, or all guests,
 * have a store of their own size, which is measured after each tenth of it.
 */
export function createReportKeeper({ db, log }: Pick<Ctx, "db" | "log">): KeepReport {
  const waiting: Waiting[] = [];
  /** Reports of one user, or of guests, since their store was measured. */
  const grown = new Map<string | null, { count: number; bytes: number }>();
  let isStoring = false;
  const storeAll = async () => {
    isStoring = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_TOGETHER);
      await storeTogether(db, batch);
      await measure(batch.map(({ report }) => report)).catch((error: unknown) =>
        log.warn({ err: error }, "The store of error reports could not be measured"),
      );
    }
    isStoring = false;
  };
  const measure = async (reports: readonly ErrorReport[]) => {
    for (const { source, event } of reports) {
      if (source !== "browser") continue;
      const user = event.user?.email ?? null;
      const { count, bytes } = grown.get(user) ?? { count: 0, bytes: 0 };
      const now = { count: count + 1, bytes: bytes + JSON.stringify(event).length };
      const isMuch =
        now.count > MAX_REPORTS_PER_USER.count * MEASURE_SHARE ||
        now.bytes > MAX_REPORTS_PER_USER.bytes * MEASURE_SHARE;
      if (isMuch) grown.delete(user);
      else grown.set(user, now);
      if (isMuch) await removeReports(db, { of: { user }, limits: MAX_REPORTS_PER_USER });
    }
  };
  return (report) =>
    new Promise((resolve, reject) => {
      waiting.push({ report, resolve, reject });
      if (!isStoring) void storeAll();
    });
}

async function storeTogether(db: Db, batch: readonly Waiting[]): Promise<void> {
  try {
    await addReports(
      db,
      batch.map(({ report }) => report),
    );
    for (const { resolve } of batch) resolve();
  } catch (error) {
    // One that can't be stored fails alone.
    if (batch.length > 1) for (const report of batch) await storeTogether(db, [report]);
    else for (const { reject } of batch) reject(error);
  }
}
