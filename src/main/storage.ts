import { join } from "node:path";
import { createFileStore } from "#integrations/objects/file-store.ts";
import { createJournal, type Journal } from "#integrations/objects/journal.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import { createS3Store } from "#integrations/objects/s3-store.ts";
import type { Clock } from "#platform/clock.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { Log } from "#platform/log.ts";
import type { VendorCall } from "#platform/metrics.ts";
import { createOutboundFetch } from "#platform/outbound/allowed-hosts.ts";

type Deps = { log: Log; clock: Clock; onCall?: (call: VendorCall) => void };

/** Opens the store of uploaded files: a folder, or a bucket. */
export function openObjects({ dataDir, objects }: Config, deps: Deps): Promise<ObjectStore> {
  const folder = join(dataDir, "objects");
  if (!objects) return createFileStore(folder);
  const fetch = createOutboundFetch({ allowedOrigins: [objects.endpoint], ...deps });
  return createS3Store({ ...objects, fetch, clock: deps.clock }, join(folder, "incoming"));
}

/** Name of the journal of promises, in the data folder and in a backup. */
export const JOURNAL_FILE = "promises.jsonl";

/** Journal of what was promised to others, which outlives a restore of the database. */
export const openJournal = ({ dataDir }: Config): Journal => createJournal(join(dataDir, JOURNAL_FILE));
