import { expect, test } from "vitest";
import { addUser, readInvitation } from "#features/companies/contract.ts";
import { exportWords } from "#features/companies/web/data-export/words.ts";
import { webhookWords } from "#features/programs/web/webhooks/words.ts";
import { SECTION_NAMES } from "#features/companies/web/words.ts";
import { differenceWords } from "#features/differences/web/words.ts";
import { type MailFacts, renderMail } from "#features/notices/rules.ts";
import { writeFooter } from "#features/notices/send-mail.ts";
import { writeText } from "#features/notices/sentences.ts";
import { folderWords } from "#features/orders/web/folder-words.ts";
import { sql } from "kysely";
import { ACME } from "../../../test/support/intuit.ts";
import { startApp } from "../../../test/support/start-app.ts";

type Params<K extends MailFacts["kind"]> = Extract<MailFacts, { kind: K }>["params"];

const company = "Acme Tools";
const by = "owner@acme.example";
const paid = { company, service: "Tracking Service", price: null, payer: null };
const order = { company, retailer: "Hearth Supply", po: "80001" };
const rejected = { ...order, problem: "It names no carton." };
const labels = { ...order, numbers: ["1Z999AA10123456784"] };
const packed = { number: "1Z999AA10123456784", text: "", invoice: "B-1", customer: "Red Rock Diner" };

/** Each mail with each of its links. The invitation is the one that the test makes. */
const listMails = (invitation: string): { [K in MailFacts["kind"]]: readonly Params<K>[] } => ({
  invitation: [{ company, by, invitation }],
  invitation_unsure: [{ company, email: "clerk@acme.example", cause: "refused" }],
  new_admin: [{ company, by, admin: by }],
  reconnect_needed: [{ company }],
  ups_reconnect_needed: [{ company, account: "1A2B3C" }],
  order_folder_stopped: [{ company, problem: "The server's key changed." }],
  order_file_refused: [
    { company, file: "a.edi", problems: ["The ship-to name is missing."], others: 0 },
    { company, file: "a.edi", problems: ["The ship-to name is missing."], others: 2 },
  ],
  webhook_off: [{ company, host: "hooks.example", cause: "gone" }],
  order_notice_rejected: (["ship", "cancel", "invoice"] as const).map((notice) => ({ ...rejected, notice })),
  retailer_message: [
    { ...order, sentences: ["Pay later."] },
    { ...order, po: "", sentences: ["Pay later."] },
  ],
  ups_labels_changed: (
    ["voided", "voided_after_notice", "partly_voided", "given_up", "doubled"] as const
  ).map((change) => ({ ...labels, change })),
  records_differ: [{ company, differences: ["A label is voided at UPS."] }],
  packages_need_attention: [{ company, packages: [packed], others: 0 }],
  packages_digest: [{ company, delivered: 1, attached: 1, attention: 1 }],
  connection_expires: [{ company, day: "2026-12-05" }],
  renewal_failed: [{ ...paid, day: "2026-12-05" }],
  trial_ends: [{ ...paid, day: "2026-12-05" }],
  service_off: [{ ...paid, cause: "unpaid" }],
  export_ready: [{ company, days: 7 }],
  payer_changed: [{ company, by }],
  new_errors: [{ causes: [{ title: "TypeError", place: "/app/", count: 1 }], others: 0 }],
});

/** Parts of addresses that the pages read, and their values; null for any. */
const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[] | null>>>> = {
  "/settings/": { section: SECTION_NAMES },
  "/settings/developers/": { section: [folderWords.row.name, webhookWords.row.name] },
  "/settings/data/": { section: [differenceWords.row.name, exportWords.row.name] },
  "/label/": { history: ["1"], ups: ["1"], q: null },
  "/orders/": { q: null },
  "/invitation/": { id: null },
};

test("SR-11 every link of every mail opens a page, at a place that the page has", async () => {
  const app = await startApp({ mail: true, worker: false });
  const owner = await app.owner(ACME);
  const guest = { query: { realm_id: ACME, email: "clerk@acme.example" } };
  expect((await owner.call(addUser, guest)).status).toBe(200);
  const { rows } = await sql<{ id: string }>`select params ->> 'invitation' as id from notice_mail`.execute(
    app.db,
  );
  const mails = listMails(rows[0]?.id ?? expect.unreachable());

  const names = { product: "Dockside", publicUrl: app.url };
  const opened = new Set<string>();
  for (const [kind, cases] of Object.entries(mails))
    for (const params of cases) {
      const facts = { kind, params, recipient: by } as MailFacts & { recipient: string };
      const { text, html } = renderMail(writeText(facts, names), writeFooter(names));
      const links = [
        ...[...html.matchAll(/href="([^"]+)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&")),
        ...(text.match(/https?:\/\/[^\s,]+/g) ?? []),
      ];
      expect(links.length, kind).toBeGreaterThanOrEqual(2);
      for (const link of links) opened.add(link);
    }
  for (const link of opened) {
    const { origin, pathname, search, searchParams } = new URL(link);
    expect(origin, link).toBe(new URL(app.url).origin);
    expect((await owner.request(`${pathname}${search}`)).status, link).toBe(200);
    for (const [name, value] of searchParams) {
      const values = PARTS[pathname]?.[name];
      expect(values, `${name} of ${link}`).not.toBeUndefined();
      if (values) expect(values, link).toContain(value);
    }
    const id = pathname === "/invitation/" ? searchParams.get("id") : null;
    if (id !== null)
      expect((await app.browser().call(readInvitation, { query: { invitation: id } })).status).toBe(200);
  }
});
