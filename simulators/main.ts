import { fstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { page } from "./intuit/page-layout.ts";
import { startIntuitSimulator } from "./intuit/start.ts";
import { startMailbox } from "./mail/start.ts";
import { startStripeSimulator } from "./stripe/start.ts";
import { startUpsSimulator } from "./ups/start.ts";

const dataDir = process.env["SIM_DATA_DIR"];
if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true });

const mailbox = await startMailbox({
  port: Number(process.env["SIM_MAIL_PORT"] ?? 3025),
  page,
  ...(dataDir !== undefined && { stateFile: join(dataDir, "mail.sqlite") }),
});
const intuit = await startIntuitSimulator({
  beside: { link: { path: "/mail", title: "Mailbox" }, reply: mailbox.reply },
  port: Number(process.env["SIM_INTUIT_PORT"] ?? 3001),
  ...(dataDir !== undefined && { stateFile: join(dataDir, "intuit.sqlite") }),
});
const stripePort = process.env["SIM_STRIPE_PORT"];
const stripe =
  stripePort === undefined
    ? null
    : await startStripeSimulator({
        port: Number(stripePort),
        ...(dataDir !== undefined && { stateFile: join(dataDir, "stripe.sqlite") }),
      });
const upsPort = process.env["SIM_UPS_PORT"];
const ups =
  upsPort === undefined
    ? null
    : await startUpsSimulator({
        port: Number(upsPort),
        ...(dataDir !== undefined && { stateFile: join(dataDir, "ups.sqlite") }),
      });
process.stdout.write(`${JSON.stringify({ intuit: intuit.url, stripe: stripe?.url, ups: ups?.url })}\n`);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await Promise.all([intuit.close(), mailbox.close(), stripe?.close(), ups?.close()]);
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const) process.on(signal, () => void stop());
if (followsParent()) process.stdin.on("end", () => void stop()).resume();

/** Whether stdin is a pipe, which ends with the parent; a terminal or /dev/null does not. */
function followsParent(): boolean {
  const stdin = fstatSync(0);
  return stdin.isFIFO() || stdin.isSocket();
}
