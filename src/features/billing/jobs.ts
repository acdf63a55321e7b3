import * as z from "zod";

const payload = z.object({});

/** Follows up what webhooks brought; added with each of them. */
export const syncEventsJob = { kind: "billing.sync-events", payload, cron: null };

/** Looks for events that no webhook brought, and follows up what failed before. */
export const readEventsJob = { kind: "billing.read-events", payload, cron: "* * * * *" };

/** Once a day, caught up on at the next start by a machine that was off. */
export const syncAllJob = { kind: "billing.sync-all", payload, cron: "41 2 * * *" };
