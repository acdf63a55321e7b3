import * as z from "zod";
import { MAX_ATTEMPTS, MAX_MAILS_OF_COMPANY, SAME_MAIL_MS } from "#features/notices/limits.ts";
import { addMail, countMails, type NewMail } from "#features/notices/store.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { addJob } from "#platform/jobs/add-job.ts";
import type { Job } from "#platform/jobs/define-job.ts";

const sendMail = { kind: "notices.send_mail", payload: z.object({ id: z.uuid() }), cron: null };
export const sendMailJob: Job<{ id: string }> = sendMail;

/** What a verb needs that notifies somebody: the mail leaves after its transaction, once. */
export type Notifying = { notify(tx: Db, mail: NewMail): Promise<void> };

/** @param isOn false when no mail server is configured: then nothing is kept for one */
export const notifyBy = ({ clock, ids }: Pick<Ctx, "clock" | "ids">, isOn: boolean): Notifying => ({
  notify: async (tx, mail) => {
    if (!isOn) return;
    const now = clock.now();
    const since = new Date(now.getTime() - SAME_MAIL_MS);
    const { same, all } = await countMails(tx, mail, since);
    if ((mail.kind === "invitation" && same > 0) || all >= MAX_MAILS_OF_COMPANY) return;
    const id = ids.uuid();
    await addMail(tx, { ...mail, id, now });
    await addJob(tx, sendMailJob, { payload: { id }, maxAttempts: MAX_ATTEMPTS });
  },
});
