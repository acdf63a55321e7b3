import { MAX_MAILS_OF_COMPANY, SAME_MAIL_MS } from "#features/notices/limits.ts";
import { addMail, countMails, removeMails, type NewMail } from "#features/notices/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { defineRun } from "#platform/runs/define-run.ts";
import { addRun, removeEndedRuns } from "#platform/runs/store.ts";

/** Mails of one lane are sent one at a time, so a hanging mail server takes at most this many slots. */
const LANES = 4;

export const sendMailRun = defineRun({
  kind: "notices.send-mail",
  lane: (realmId) => `mail:${Number(realmId.slice(-4)) % LANES}`,
});

/** Sends a mail once, after the caller's transaction commits. */
export type Notifying = { notify(tx: Db, mail: NewMail): Promise<void> };

/** @param isOn false if no mail server is configured; then mails are not stored */
export const notifyBy = ({ clock, ids }: Pick<Ctx, "clock" | "ids">, isOn: boolean): Notifying => ({
  notify: async (tx, mail) => {
    if (!isOn) return;
    const now = clock.now();
    const since = new Date(now.getTime() - SAME_MAIL_MS);
    const { same, all } = await countMails(tx, mail, since);
    if ((mail.kind === "invitation" && same > 0) || all >= MAX_MAILS_OF_COMPANY) return;
    const id = ids.uuid();
    await addMail(tx, { ...mail, id, now });
    await addSendMail({ ids }, tx, { realmId: mail.realmId, mailId: id, now });
  },
});

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
