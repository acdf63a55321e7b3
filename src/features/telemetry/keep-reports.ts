import { addReports, type ErrorReport } from "#features/telemetry/store.ts";
import type { Db } from "#platform/db/connect.ts";

/** Reports of one statement. */
const MAX_TOGETHER = 100;

export type KeepReport = (report: ErrorReport) => Promise<void>;

type Waiting = { report: ErrorReport; resolve: () => void; reject: (error: unknown) => void };

/**
 * Creates the function that stores a report, and returns when it is committed. Reports that arrive while others are being
 * stored share the next statement and commit, so that a flood of errors costs the database little.
 */
export function createReportKeeper(db: Db): KeepReport {
  const waiting: Waiting[] = [];
  let isStoring = false;
  const storeAll = async () => {
    isStoring = true;
    while (waiting.length > 0) await storeTogether(db, waiting.splice(0, MAX_TOGETHER));
    isStoring = false;
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
    if (batch.length > 1) for (const one of batch) await storeTogether(db, [one]);
    else for (const { reject } of batch) reject(error);
  }
}
