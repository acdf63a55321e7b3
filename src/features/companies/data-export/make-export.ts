import {
  exportIdOfPart,
  EXPORTS,
  storeParts,
  type StoredArchive,
} from "#features/companies/data-export/export-parts.ts";
import * as store from "#features/companies/data-export/store.ts";
import { findCompany } from "#features/companies/store.ts";
import type { Notifying } from "#features/notices/index.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import type { Ctx } from "#platform/ctx.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";
import { DAY_MS } from "#platform/time.ts";

/** One at a time for all companies, because an export reads much and is in no hurry. */
export const exportRun = defineRun({ kind: "companies.export", lane: () => "companies:export" });

export type MakeExportCtx = Ctx &
  Notifying & {
    objects: ObjectStore;
    /** Days that a file is kept. */
    exportRetentionDays: number;
    /** Writes the archive; `onFile` is called after each of its files. */
    writeExport(company: { id: string; name: string }, onFile: () => void): AsyncIterable<Buffer>;
  };

export const exportRuns = (ctx: MakeExportCtx): BoundRun[] => [bindRun(exportRun, makeExport, ctx)];

/** After as many failures or deaths of processes an export counts as failed. */
const MAX_ATTEMPTS = 5;
/** Time between two records of the progress. */
const PROGRESS_MS = 1_000;

/** Makes an export and stores its file. Safe to run again after a crash at any point: it then begins again. */
async function makeExport(ctx: MakeExportCtx, work: RunWork): Promise<Ending> {
  const { run } = work;
  const about = { realmId: run.realmId, id: run.subject };
  const found = await store.findExport(ctx.db, about);
  const company = await findCompany(ctx.db, run.realmId);
  if (!company || found?.state !== "making") return { state: "done" };
  const hasFailed = run.starts + run.failures >= MAX_ATTEMPTS;
  const made = hasFailed ? null : await storeArchive(ctx, work, { ...about, name: company.name });
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + ctx.exportRetentionDays * DAY_MS);
  await withFence(ctx.db, run, async (tx) => {
    await store.endExport(tx, about, { made, now, expiresAt });
    if (!made) return;
    const params = { company: company.name, days: ctx.exportRetentionDays };
    await ctx.notify(tx, {
      kind: "export_ready",
      realmId: run.realmId,
      recipient: found.requestedBy,
      params,
    });
  });
  return { state: "done" };
}

/** @throws when the run is to stop */
async function storeArchive(
  ctx: MakeExportCtx,
  { run, stop }: RunWork,
  { realmId, id, name }: { realmId: string; id: string; name: string },
): Promise<StoredArchive & { files: number }> {
  let files = 0;
  let savedAt = ctx.clock.steadyMs();
  const archive = ctx.writeExport({ id: realmId, name }, () => (files += 1));
  const watched = async function* () {
    for await (const chunk of archive) {
      stop.throwIfAborted();
      if (ctx.clock.steadyMs() - savedAt > PROGRESS_MS) {
        await store.saveProgress(ctx.db, { realmId, id }, files);
        savedAt = ctx.clock.steadyMs();
      }
      run.noteProgress?.();
      yield chunk;
    }
  };
  return { ...(await storeParts(ctx.objects, { realmId, id }, watched())), files };
}

export const measureExports = store.measureExports;

/** Removes expired exports, and files of exports that no row knows any more. */
export async function removeOldExports(ctx: Ctx & { objects: ObjectStore }): Promise<void> {
  const now = ctx.clock.now();
  await store.removeExpired(ctx.db, now);
  const files: string[] = [];
  for await (const key of ctx.objects.listOlder(EXPORTS, new Date(now.getTime() - NEW_MS))) files.push(key);
  const kept = await store.findKept(ctx.db, [...new Set(files.map(exportIdOfPart))]);
  for (const key of files) if (!kept.has(exportIdOfPart(key))) await ctx.objects.remove(key);
}

/** A file is stored before its export is recorded as made. */
const NEW_MS = 3_600_000;
