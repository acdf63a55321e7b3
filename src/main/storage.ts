import { join } from "node:path";
import { createFileStore } from "#integrations/objects/file-store.ts";
import { createFileLines, createJournal, type Journal } from "#integrations/objects/journal.ts";
import type { ObjectStore } from "#integrations/objects/object-store.ts";
import { createS3Lines } from "#integrations/objects/s3-lines.ts";
import type { S3Place } from "#integrations/objects/s3-call.ts";
import { createS3Store } from "#integrations/objects/s3-store.ts";
import type { Clock } from "#platform/clock.ts";
import { outlivesMachine } from "./sealing-keys.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { Log } from "#platform/log.ts";
import type { Metrics, VendorCall } from "#platform/metrics.ts";
import { createOutboundFetch } from "#platform/outbound/allowed-hosts.ts";

/** Opens what is kept outside the database: uploaded files, and the journal of promises next to them. */
export async function openStorage(
  config: Config,
  { metrics, ...deps }: Deps & { metrics: Metrics },
): Promise<{ objects: ObjectStore; journal: Journal }> {
  if (!config.objects && outlivesMachine(config)) deps.log.warn(ONLY_HERE);
  const counted = { ...deps, onCall: (call: VendorCall) => metrics.vendorCall("s3", call) };
  return { objects: await openObjects(config, counted), journal: openJournal(config, counted) };
}

const ONLY_HERE =
  "The database outlives this machine, and uploaded files and the journal of promises are only in its DATA_DIR: set OBJECTS_S3_BUCKET and its variables, so that they do, too.";

type Deps = { log: Log; clock: Clock; onCall?: (call: VendorCall) => void };

/** Opens the store of uploaded files: a folder, or a bucket. */
export async function openObjects(config: Config, deps: Deps): Promise<ObjectStore> {
  const folder = join(config.dataDir, "objects");
  const place = openPlace(config, deps);
  return place ? createS3Store(place, join(folder, "incoming")) : createFileStore(folder);
}

/** Name of the journal of promises, in the data folder and in a backup. */
export const JOURNAL_FILE = "promises.jsonl";

/** Journal of what was promised to others, which outlives a restore of the database: next to the uploaded files. */
export function openJournal(config: Config, deps: Deps): Journal {
  const place = openPlace(config, deps);
  return createJournal(place ? createS3Lines(place) : createFileLines(join(config.dataDir, JOURNAL_FILE)));
}

function openPlace({ objects }: Config, deps: Deps): S3Place | null {
  if (!objects) return null;
  const fetch = createOutboundFetch({ allowedOrigins: [objects.endpoint], ...deps });
  return { ...objects, fetch, clock: deps.clock };
}
