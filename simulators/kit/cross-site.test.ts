import { afterAll, beforeAll, expect, test } from "vitest";
import { page } from "../intuit/page-layout.ts";
import { startIntuitSimulator } from "../intuit/start.ts";
import { startMailbox } from "../mail/start.ts";
import { startStripeSimulator } from "../stripe/start.ts";
import { startUpsSimulator } from "../ups/start.ts";

let simulators: { url: string; close(): Promise<void> }[];
const addresses: Record<string, string> = {};

beforeAll(async () => {
  const mailbox = await startMailbox({ port: 0, page });
  const intuit = await startIntuitSimulator({
    port: 0,
    beside: { link: { path: "/mail", title: "Mailbox" }, reply: mailbox.reply },
  });
  const stripe = await startStripeSimulator({ port: 0 });
  const ups = await startUpsSimulator({ port: 0 });
  Object.assign(addresses, {
    intuit: `${intuit.url}/_sim/reset`,
    mail: `${intuit.url}/_sim/mail/reset`,
    stripe: `${stripe.url}/_sim/reset`,
    ups: `${ups.url}/_sim/reset`,
  });
  simulators = [intuit, stripe, ups, { url: "", close: () => mailbox.close() }];
});
afterAll(() => Promise.all(simulators.map((each) => each.close())));

const FOREIGN: Record<string, string>[] = [
  { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  { origin: "https://evil.example" },
  { origin: "null" },
  { "sec-fetch-site": "cross-site" },
  { origin: "http://localhost:1", "sec-fetch-site": "same-site" },
];

test.each(["intuit", "mail", "stripe", "ups"])(
  "a page on another site can't control the simulated %s; tests, servers and its own pages can",
  async (name) => {
    const address = addresses[name]!;
    const post = (headers: Record<string, string>) => fetch(address, { method: "POST", headers });
    for (const headers of FOREIGN) {
      const refused = await post(headers);
      expect([headers, refused.status, await refused.json()]).toEqual([
        headers,
        403,
        { error: "cross-site requests are refused" },
      ]);
    }
    const { origin } = new URL(address);
    for (const headers of [{}, { origin, "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }])
      expect((await post(headers)).status).toBe(200);
  },
);
