import { sql } from "kysely";
import { listForgottenSerials } from "#features/labels/index.ts";
import { createJournal } from "#integrations/objects/journal.ts";
import { serialsPath } from "../../storage.ts";
import { printTable, type Operator } from "../command.ts";

type Latest = {
  realmId: string;
  name: string;
  upload: Date | null;
  labels: Date | null;
  shipment: Date | null;
  open: number;
};

/**
 * Says which work was done after a restored backup, and what keeps it from being done twice: the latest of each company that
 * the backup has, and the serials that only the journal knows.
 */
export async function reportLost(
  { config, ctx }: Operator,
  { madeAt, hadJournal }: { madeAt: string; hadJournal: boolean },
): Promise<string> {
  const { rows } = await sql<Latest>`select realm_id as "realmId", name,
      (select max(uploaded_at) from upload where realm_id = company.realm_id and phase = 'post') as upload,
      (select max(uploaded_at) from label_upload where realm_id = company.realm_id) as labels,
      (select max(requested_at) from shipment where realm_id = company.realm_id) as shipment,
      (select count(*) from run where realm_id = company.realm_id and state in ('queued', 'working', 'waiting')) as open
    from company order by name, realm_id`.execute(ctx.db);
  const serials = await createJournal(serialsPath(config));
  const forgotten = await listForgottenSerials({ db: ctx.db, serials });
  const time = (at: Date | null) => at?.toISOString() ?? "none";
  return [
    `Work done after ${madeAt} is not in this database:`,
    "- Invoices are in QuickBooks only. Open work first reads there what was posted; a file sent again is compared with it.",
    "- UPS labels are at UPS only. An order is searched for there before labels are bought.",
    forgotten.length === 0
      ? "- No SSCC is known that was given after the backup."
      : "- These SSCCs were given after the backup, their labels are not in it, and they are not given again:",
    ...forgotten.map(
      ({ realmId, prefix, extension, from, to }) =>
        `    company ${realmId}, prefix ${prefix}, extension digit ${extension}: serials ${from} to ${to}`,
    ),
    ...(hadJournal
      ? []
      : [
          "  If labels were made after the backup, and label-serials.jsonl of that machine is lost, raise the next serial in the label settings before making more.",
        ]),
    "",
    "The latest that it has of each company:",
    printTable(
      ["company", "name", "upload", "labels", "UPS labels", "open runs"],
      rows.map(({ realmId, name, upload, labels, shipment, open }) => [
        realmId,
        name,
        time(upload),
        time(labels),
        time(shipment),
        String(open),
      ]),
    ),
  ].join("\n");
}
