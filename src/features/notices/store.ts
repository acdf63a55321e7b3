import { sql } from "kysely";
import type { MailFacts } from "#features/notices/rules.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";

/** A mail as facts; its text is written when it is sent. */
export type NewMail = { realmId: string; recipient: string } & MailFacts;

export async function addMail(
  tx: Db,
  { realmId, recipient, kind, params, id, now }: NewMail & { id: string; now: Date },
): Promise<void> {
  await sql`insert into notice_mail (id, realm_id, kind, recipient, params, state, created_at, changed_at)
    values (${id}, ${realmId}, ${kind}, ${recipient}, ${toJson(params)}, 'queued', ${now}, ${now})`.execute(
    tx,
  );
}

/** Counts a company's mails since a time. */
export async function countMails(tx: Db, realmId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from notice_mail where realm_id = ${realmId} and created_at > ${since}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Finds the invitation of the latest mail to a user since a time that the server didn't refuse; null for none. */
export async function findInvitationMail(
  tx: Db,
  { realmId, email, since }: { realmId: string; email: string; since: Date },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select params ->> 'invitation' as id from notice_mail
    where realm_id = ${realmId} and created_at > ${since} and kind = 'invitation' and recipient = ${email}
      and state <> 'refused' order by created_at desc limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}

export type MailState = "queued" | "sent" | "refused" | "in_doubt";

/** `wasSending`: an earlier holder of its run took it without recording an outcome. */
type TakenMail = NewMail & { wasSending: boolean };

/** A mail is the subject of a run of its company. */
type MailId = { realmId: string; id: string };

/** Marks a mail as being sent, for the holder of its run. @returns null if it is settled or gone */
export async function takeMail(tx: Db, { realmId, id }: MailId, now: Date): Promise<TakenMail | null> {
  const { rows } = await sql<TakenMail>`update notice_mail mail set state = 'sending', changed_at = ${now}
    from (select id, state from notice_mail where realm_id = ${realmId} and id = ${id}::uuid
      and state in ('queued', 'sending') for update) before
    where mail.realm_id = ${realmId} and mail.id = before.id
    returning realm_id as "realmId", kind, recipient, params, before.state = 'sending' as "wasSending"`.execute(
    tx,
  );
  return rows[0] ?? null;
}

export type UnsentMail = {
  at: Date;
  realmId: string;
  kind: string;
  recipient: string;
  state: string;
  cause: string | null;
};

/** Lists unsent mails, newest first: refused, in doubt, or still to be tried. */
export async function listUnsentMails(db: Db, limit: number): Promise<UnsentMail[]> {
  const { rows } =
    await sql<UnsentMail>`select changed_at as at, realm_id as "realmId", kind, recipient, state, cause
    from notice_mail where state <> 'sent' order by changed_at desc, id limit ${limit}`.execute(db);
  return rows;
}

export async function settleMail(
  db: Db,
  { realmId, id }: MailId,
  { state, cause, now }: { state: MailState; cause: string | null; now: Date },
): Promise<void> {
  await sql`update notice_mail set state = ${state}, cause = ${cause}, changed_at = ${now}
    where realm_id = ${realmId} and id = ${id}::uuid`.execute(db);
}

/** Queues a mail that was refused or is in doubt. @returns null if it is neither */
export async function requeueMail(tx: Db, id: string, now: Date): Promise<Omit<NewMail, "params"> | null> {
  const { rows } =
    await sql<NewMail>`update notice_mail set state = 'queued', cause = null, changed_at = ${now}
    where id = ${id}::uuid and state in ('refused', 'in_doubt')
    returning realm_id as "realmId", kind, recipient`.execute(tx);
  return rows[0] ?? null;
}

export async function removeMails(db: Db, before: Date): Promise<void> {
  await sql`delete from notice_mail where created_at < ${before}`.execute(db);
}
