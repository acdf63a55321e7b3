import { createHash } from "node:crypto";
import type { Db } from "#platform/db/connect.ts";
import { countUnlinked, findLinks, findTrails, type Link } from "#features/audit/store.ts";

/** Result for one company: number of valid entries, the last hash, and the first fault. */
type VerifiedTrail = { realmId: string; entries: number; lastHash: string; fault: string | null };

const PAGE = 1_000;

/**
 * Recomputes and compares every hash of every trail. A trail truncated together with its links shows only in comparison
 * with an earlier report, by its lower number of entries.
 */
export async function verifyTrails(db: Db): Promise<VerifiedTrail[]> {
  const trails: VerifiedTrail[] = [];
  for (const realmId of await findTrails(db)) trails.push(await verifyTrail(db, realmId));
  return trails;
}

async function verifyTrail(db: Db, realmId: string): Promise<VerifiedTrail> {
  let last: Pick<Link, "seq" | "hash"> = { seq: 0, hash: Buffer.alloc(0) };
  const report = (fault: string | null) => ({
    realmId,
    entries: last.seq,
    lastHash: last.hash.toString("hex"),
    fault,
  });
  for (let links = await findLinks(db, realmId, { after: 0, limit: PAGE }); links.length > 0;) {
    for (const { seq, hash, digest } of links) {
      if (seq !== last.seq + 1) return report(`link ${last.seq + 1} is missing`);
      if (digest === null) return report(`entry ${seq} was removed`);
      const expected = createHash("sha256").update(last.hash).update(digest).digest();
      if (!expected.equals(hash)) return report(`entry ${seq} was changed`);
      last = { seq, hash };
    }
    links = await findLinks(db, realmId, { after: last.seq, limit: PAGE });
  }
  const unlinked = await countUnlinked(db, realmId);
  return report(unlinked > 0 ? `${unlinked} entries were slipped in` : null);
}
