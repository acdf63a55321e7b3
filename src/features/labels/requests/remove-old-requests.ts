import type { LabelsCtx } from "#features/labels/ctx.ts";
import { KEEP_ENDED_MS } from "#features/labels/limits.ts";
import { FOLDER, fileOf } from "#features/labels/requests/jobs.ts";
import { findOpenIds, removeEndedRequests } from "#features/labels/requests/store.ts";

/** Forgets requests for labels that ended long ago. */
export const removeOldRequests = ({ db, clock }: LabelsCtx): Promise<void> =>
  removeEndedRequests(db, new Date(clock.now().getTime() - KEEP_ENDED_MS));

/**
 * Removes stored files that no open request needs: of processes that died before they noted or removed them.
 * @returns how many it removed
 */
export async function removeOrphanSheets({ db, clock, objects }: LabelsCtx): Promise<number> {
  const ids: string[] = [];
  const before = new Date(clock.now().getTime() - KEEP_ENDED_MS);
  for await (const key of objects.listOlder(FOLDER, before)) ids.push(key.slice(FOLDER.length + 1));
  const open = await findOpenIds(db, ids);
  const orphans = ids.filter((id) => !open.has(id));
  for (const id of orphans) await objects.remove(fileOf(id));
  return orphans.length;
}
