import { MAX_MAILS_PER_COMPANY } from "#features/notices/limits.ts";
import {
  addMail,
  countMails,
  findInvitationMail,
  removeMails,
  type NewMail,
} from "#features/notices/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { defineRun } from "#platform/runs/define-run.ts";
import { addRun, removeEndedRuns } from "#platform/runs/store.ts";
import { DAY_MS } from "#platform/time.ts";

/** Mails of one lane are sent one at a time, so a hanging mail server takes at most this many slots. */
const LANES = 4;

export const sendMailRun = defineRun({
  kind: "notices.send-mail",
  lane: (realmId) => `mail:${Number(realmId.slice(-4)) % LANES}`,
});

/** Sends a mail once, after the caller's transaction commits. @returns false if it can't be sent */
export type Notifying = { notify(tx: Db, mail: NewMail): Promise<boolean> };

/** @param isOn false if no mail server is configured; then mails are not stored */
export const notifyBy = ({ clock, ids }: Pick<Ctx, "clock" | "ids">, isOn: boolean): Notifying => ({
  notify: async (tx, mail) => {
    if (!isOn) return false;
    const now = clock.now();
    if ((await countMails(tx, mail.realmId, dayBefore(now))) >= MAX_MAILS_PER_COMPANY) return false;
    const id = ids.uuid();
    await addMail(tx, { ...mail, id, now });
    await addSendMail({ ids }, tx, { realmId: mail.realmId, mailId: id, now });
    return true;
  },
});

const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS);

/**
 * Finds the invitation that a mail of the last day leads to. A user who is added, removed and added again in that time gets
 * one mail about it.
 */
export const findMailedInvitation = (
  tx: Db,
  { realmId, email, now }: { realmId: string; email: string; now: Date },
): Promise<string | null> => findInvitationMail(tx, { realmId, email, since: dayBefore(now) });

/** Queues the sending of a stored mail. */
export const addSendMail = (
  { ids }: Pick<Ctx, "ids">,
  tx: Db,
  { realmId, mailId, now }: { realmId: string; mailId: string; now: Date },
): Promise<void> =>
  addRun(tx, sendMailRun, {
    realmId,
    id: ids.uuid(),
    subject: mailId,
    requestedBy: "system",
    requestedAt: now,
  });

/** Deletes mails created before a time, and their runs. */
export async function forgetMails(db: Db, before: Date): Promise<void> {
  await removeMails(db, before);
  await removeEndedRuns(db, sendMailRun, before);
}
