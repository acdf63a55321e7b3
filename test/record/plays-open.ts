import { setTimeout as wait } from "node:timers/promises";
import { toAnswer, create, findInvoice, type Play } from "./plays.ts";
import { unique } from "./wire.ts";

/** More than Intuit answers at once. */
const AT_ONCE = 40;
const CALM_WITHIN_MS = 120_000;

/** Played first: what later plays find out is not spoiled by a limit that an earlier one reached. */
export const OPEN_PLAYS: readonly Play[] = [
  { name: "sign-in", play: ({ api }) => Promise.resolve(api.signIn) },
  {
    name: "throttling",
    play: async ({ api }) => {
      const ask = () => api.call("GET", "/preferences");
      const replies = await Promise.all(Array.from({ length: AT_ONCE }, ask));
      const refused = replies.find(({ status }) => status === 429);
      for (const end = Date.now() + CALM_WITHIN_MS; (await ask()).status === 429 && Date.now() < end;)
        await wait(1_000);
      const retryAfter = refused?.headers.get("retry-after") ?? null;
      return {
        [`answers to ${AT_ONCE} at once`]: [...new Set(replies.map(toAnswer))].sort(),
        "the refusal is of type": refused?.headers.get("content-type")?.split(";")[0] ?? null,
        "it says when to come back": retryAfter && (/^\d+$/.test(retryAfter) ? "in seconds" : "as a date"),
      };
    },
  },
  {
    name: "shipping-fields",
    play: async (stage) => {
      const { json } = await stage.api.call("GET", "/preferences");
      const sales = (json["Preferences"] as { SalesFormsPrefs?: { AllowShipping?: boolean } } | undefined)
        ?.SalesFormsPrefs;
      const made = async (more: { TrackingNum?: string; ShipDate?: string }) => {
        const reply = await create(stage, more);
        const kept = findInvoice(reply) as typeof more | undefined;
        const isKept = Object.entries(more).every(
          ([name, value]) => kept?.[name as keyof typeof more] === value,
        );
        return `${toAnswer(reply)}, ${isKept ? "kept" : "not kept"}`;
      };
      return {
        "shipping is on": sales?.AllowShipping === true,
        "a tracking number": await made({ TrackingNum: "1Z999AA10123456784" }),
        "one of 31 characters": await made({ TrackingNum: "T".repeat(31) }),
        "one of 32 characters": await made({ TrackingNum: "T".repeat(32) }),
        "a ship date": await made({ ShipDate: "2026-11-02" }),
      };
    },
  },
  {
    name: "sending",
    play: async (stage) => {
      const made = findInvoice(await create(stage));
      const send = (sendTo: string | null, requestid: string, invoice = made?.Id) =>
        stage.api.call("POST", `/invoice/${invoice}/send`, {
          query: { ...(sendTo === null ? {} : { sendTo }), requestid },
        });
      const id = unique();
      const withoutAddress = await send(null, unique());
      // A domain whose mail never arrives anywhere.
      const first = await send("record@example.com", id);
      const again = await send("record@example.com", id);
      const sent = findInvoice(first) as { EmailStatus?: string } | undefined;
      return {
        sent: toAnswer(first),
        "its status": sent?.EmailStatus ?? null,
        "with the same request id": toAnswer(again),
        "it is sent once":
          findInvoice(again) !== undefined && findInvoice(again)?.SyncToken === findInvoice(first)?.SyncToken,
        "to no address": toAnswer(await send("nobody", unique())),
        "to two addresses": toAnswer(await send("record@example.com,two@example.com", unique())),
        "without an address": toAnswer(withoutAddress),
        "an invoice that does not exist": toAnswer(await send("record@example.com", unique(), "99999999")),
      };
    },
  },
  {
    name: "minor-versions",
    play: async ({ api }) => {
      const versions = ["65", "75", "76", "77", "80", "100", "none"];
      const answers: [string, string][] = [];
      for (const minorversion of versions)
        answers.push([
          `version ${minorversion}`,
          toAnswer(await api.call("GET", "/preferences", { query: { minorversion } })),
        ]);
      return Object.fromEntries(answers);
    },
  },
];
