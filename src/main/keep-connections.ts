import * as z from "zod";
import { keepConnections, type ConnectCtx } from "#features/companies/index.ts";
import { bindJob } from "#platform/jobs/define-job.ts";

/** Once a day, caught up on at the next start by a machine that was off. */
const keepConnectionsJob = { kind: "companies.keep_connections", payload: z.object({}), cron: "41 4 * * *" };

export const bindKeepConnections = (connect: ConnectCtx) =>
  bindJob(keepConnectionsJob, keepConnections, connect);
