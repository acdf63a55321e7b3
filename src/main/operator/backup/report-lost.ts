import { sql } from "kysely";
import type { listForgottenSerials } from "#features/labels/index.ts";
import type { continueShipping } from "#features/shipping/index.ts";
import type { continueOrders } from "#features/orders/index.ts";
import { printTable, type Operator } from "../command.ts";

/** Promises to others that the journal knows and the restored database doesn't. */
export type Promised = { serials: Awaited<ReturnType<typeof listForgottenSerials>> } & Awaited<
  ReturnType<typeof continueShipping>
> &
  Awaited<ReturnType<typeof continueOrders>>;

type Latest = {
  realmId: string;
  name: string;
  upload: Date | null;
  labels: Date | null;
  shipment: Date | null;
  open: number;
  keys: number;
};

/**
 * Says which work was done after a restored backup, and what keeps it from being done twice: the latest of each company that
 * the backup has, and the serials that only the journal knows.
 */
export async function reportLost(
  { ctx }: Operator,
  { madeAt, hadJournal, promised }: { madeAt: string; hadJournal: boolean; promised: Promised },
): Promise<string> {
  const { rows } = await sql<Latest>`select realm_id as "realmId", name,
      (select max(uploaded_at) from upload where realm_id = company.realm_id and stage in ('confirmed', 'posting')) as upload,
      (select max(uploaded_at) from label_upload where realm_id = company.realm_id) as labels,
      (select max(requested_at) from shipment where realm_id = company.realm_id) as shipment,
      (select count(*) from run where realm_id = company.realm_id and state in ('queued', 'working', 'waiting')) as open,
      (select count(*) from company_key where realm_id = company.realm_id and revoked_at is null) as keys
    from company order by name, realm_id`.execute(ctx.db);
  const time = (at: Date | null) => at?.toISOString() ?? "none";
  return [
    `Work done after ${madeAt} is not in this database:`,
    "- Invoices are in QuickBooks only. Open work first reads there what was posted; a file sent again is compared with it.",
    "- UPS labels are at UPS only. An order is searched for there before labels are bought.",
    "- QuickBooks and UPS may have renewed their logins since: a company whose login is refused is asked to connect again.",
    `- Paid services that were added after ${madeAt} are off, and still charged: each is on again when its payer chooses Add once. Only its payer should: another user would pay a second time.`,
    `- Access that was withdrawn after ${madeAt} counts again: revoke API keys, remove and block users, and delete companies once more. All users must sign in again.`,
    ...listPromised(promised),
    promised.serials.length === 0
      ? "- No SSCC is known that was given after the backup."
      : "- These SSCCs were given after the backup, their labels are not in it, and they are not given again:",
    ...promised.serials.map(
      ({ realmId, prefix, extension, from, to }) =>
        `    company ${realmId}, prefix ${prefix}, extension digit ${extension}: serials ${from} to ${to}`,
    ),
    ...(hadJournal
      ? []
      : [
          "- There was no promises.jsonl of that machine here. If it is lost, raise the next serial in the label settings before making more labels, and expect that a retailer gets control numbers and notices a second time.",
        ]),
    "",
    "The latest of each company in it:",
    printTable(
      ["company", "name", "upload", "labels", "UPS labels", "open runs", "API keys in use"],
      rows.map(({ realmId, name, upload, labels, shipment, open, keys }) => [
        realmId,
        name,
        time(upload),
        time(labels),
        time(shipment),
        String(open),
        String(keys),
      ]),
    ),
  ].join("\n");
}

const NOTICES = { ship: "ship notice", cancel: "cancellation", invoice: "invoice" } as const;

/** Lists what others were promised after the backup. */
function listPromised({ purchases, voids, notices, files }: Promised): string[] {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `    ${line}`)];
  return [
    ...list(
      "- These UPS labels were bought after the backup. Make labels for the order again: nothing is bought, its labels are found.",
      purchases.map(
        ({ realm, po, numbers }) => `company ${realm}, PO # ${po}: ${numbers.join(", ") || "no answer"}`,
      ),
    ),
    ...list(
      "- UPS is asked about these voids again:",
      voids.map(({ realm, shipment }) => `company ${realm}: ${shipment}`),
    ),
    ...list(
      "- These notices were sent after the backup and won't be sent again. Where one is a cancellation, cancel the order again.",
      notices.map(
        ({ realm, po, about, control_number: number }) =>
          `company ${realm}, PO # ${po}: ${NOTICES[about]}, ${number === null ? "entered in the retailer's portal" : `control number ${number}`}`,
      ),
    ),
    ...list(
      "- Order files in the done folders are read again. These orders came in another way: ask their senders for them again.",
      files
        .filter(({ channel, added }) => channel !== "folder" && added > 0)
        .map(({ realm, file, added, at }) => `company ${realm}, ${file} at ${at}: ${added} orders`),
    ),
  ];
}
