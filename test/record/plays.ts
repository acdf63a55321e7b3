import { setTimeout as wait } from "node:timers/promises";
import { unique, type Api, type Reply } from "./wire.ts";

/** Findings of a play: answers to the open questions, comparable between two services. */
export type Facts = Record<string, string | number | boolean | null | readonly (string | number)[]>;

/** Input of every play: a customer and an item of the company, and the list of what has to be deleted. */
export type Stage = {
  api: Api;
  customer: string;
  item: string;
  /** Objects that plays made. */
  made: Set<Made>;
};

/** In the order in which they can be deleted. */
const KINDS = ["Attachable", "Payment", "CreditMemo", "SalesReceipt", "Invoice"] as const;
type Kind = (typeof KINDS)[number];
/** Kind and id. */
type Made = `${Kind} ${string}`;

export type Play = { name: string; play(stage: Stage): Promise<Facts> };

const CONTENT = "%PDF-1.4 record";
const MAX_LAG_MS = 60_000;

const faultCode = ({ json }: Reply): string | null => {
  const fault = (json["Fault"] ?? json["fault"]) as { Error?: { code?: string }[] } | undefined;
  return fault?.Error?.[0]?.code ?? null;
};

export const toAnswer = (reply: Reply) =>
  `${reply.status} ${faultCode(reply) ?? (reply.status < 400 ? "ok" : "without a code")}`;

export const findInvoice = ({ json }: Reply) =>
  json["Invoice"] as { Id: string; SyncToken: string; DocNumber?: string } | undefined;

export const invoiceBody = ({ customer, item }: Stage, more: object = {}) => ({
  CustomerRef: { value: customer },
  Line: [
    {
      Amount: 1,
      DetailType: "SalesItemLineDetail",
      SalesItemLineDetail: { ItemRef: { value: item }, Qty: 1, UnitPrice: 1 },
    },
  ],
  ...more,
});

/** Makes an invoice of one dollar, and notes that it has to be deleted. */
export const create = (stage: Stage, more: object = {}, requestid?: string): Promise<Reply> =>
  post(stage, "Invoice", invoiceBody(stage, more), requestid);

/** Makes an object, and notes that it has to be deleted. */
export async function post(stage: Stage, kind: Kind, body: object, requestid?: string): Promise<Reply> {
  const reply = await stage.api.call("POST", `/${kind.toLowerCase()}`, {
    body,
    ...(requestid ? { query: { requestid } } : {}),
  });
  const { Id: id } = (reply.json[kind] ?? {}) as { Id?: string };
  if (id) stage.made.add(`${kind} ${id}`);
  return reply;
}

/** Invoices with a note, as the books show them. */
const countNoted = async ({ api }: Stage, note: string) =>
  (
    await api.query("select Id, PrivateNote from Invoice orderby MetaData.CreateTime desc maxresults 50")
  ).filter(({ PrivateNote }) => PrivateNote === note).length;

export const PLAYS: readonly Play[] = [
  {
    name: "request-id-single",
    play: async (stage) => {
      const [id, note] = [unique(), unique()];
      const first = await create(stage, { PrivateNote: note }, id);
      const again = await create(stage, { PrivateNote: note }, id);
      const other = await create(stage, { PrivateNote: `${note} other` }, id);
      return {
        first: toAnswer(first),
        repeated: toAnswer(again),
        "repeated is the same invoice": findInvoice(again)?.Id === findInvoice(first)?.Id,
        "with another body": toAnswer(other),
        "another body makes another invoice":
          findInvoice(other) !== undefined && findInvoice(other)?.Id !== findInvoice(first)?.Id,
        "invoices made": await countNoted(stage, note),
      };
    },
  },
  {
    name: "request-id-concurrent",
    play: async (stage) => {
      const [id, note] = [unique(), unique()];
      const replies = await Promise.all([1, 2, 3].map(() => create(stage, { PrivateNote: note }, id)));
      return {
        answers: [...new Set(replies.map(toAnswer))].sort(),
        "invoices made": await countNoted(stage, note),
      };
    },
  },
  {
    name: "request-id-after-refusal",
    play: async (stage) => {
      const id = unique();
      const refused = await create({ ...stage, customer: "99999999" }, {}, id);
      const corrected = await create(stage, {}, id);
      return { refused: toAnswer(refused), "corrected with the same request id": toAnswer(corrected) };
    },
  },
  {
    name: "numbering",
    play: async (stage) => {
      const number = `DS-${unique()}`;
      const { json } = await stage.api.call("GET", "/preferences");
      const sales = (json["Preferences"] as { SalesFormsPrefs?: { CustomTxnNumbers?: boolean } } | undefined)
        ?.SalesFormsPrefs;
      const first = await create(stage, { DocNumber: number });
      const same = await create(stage, { DocNumber: number });
      const none = await create(stage);
      return {
        "custom numbers": sales?.CustomTxnNumbers === true,
        "a given number is kept": findInvoice(first)?.DocNumber === number,
        "the same number again": toAnswer(same),
        "without a number one is given": findInvoice(none)?.DocNumber !== undefined,
        "a number of 22 characters": toAnswer(await create(stage, { DocNumber: "X".repeat(22) })),
      };
    },
  },
  {
    name: "query-lag",
    play: async (stage) => {
      const note = unique();
      await create(stage, { PrivateNote: note });
      const startedAt = Date.now();
      let seen = await countNoted(stage, note);
      const atOnce = seen === 1;
      for (; seen === 0 && Date.now() - startedAt < MAX_LAG_MS; seen = await countNoted(stage, note))
        await wait(1_000);
      return { "a query shows a new invoice at once": atOnce, "and within a minute": seen === 1 };
    },
  },
  {
    name: "refusals",
    play: async (stage) => {
      const made = findInvoice(await create(stage));
      const sparse = (SyncToken: string) =>
        stage.api.call("POST", "/invoice", {
          body: { Id: made?.Id, SyncToken, sparse: true, PrivateNote: "changed" },
        });
      await sparse(made?.SyncToken ?? "0");
      return {
        "unknown customer": toAnswer(await create({ ...stage, customer: "99999999" })),
        "unknown item": toAnswer(await create({ ...stage, item: "99999999" })),
        "no lines": toAnswer(await create(stage, { Line: [] })),
        "old sync token": toAnswer(await sparse(made?.SyncToken ?? "0")),
        "an invoice that does not exist": toAnswer(await stage.api.call("GET", "/invoice/99999999")),
        "a query that cannot be read": toAnswer(
          await stage.api.call("GET", "/query", { query: { query: "selekt" } }),
        ),
        "a wrong access token": toAnswer(await stage.api.call("GET", "/preferences", { bearer: "wrong" })),
      };
    },
  },
  {
    name: "batch",
    play: async (stage) => {
      const queries = (count: number) => ({
        BatchItemRequest: Array.from({ length: count }, (_, n) => ({
          bId: `b${n}`,
          Query: "select Id from Item maxresults 1",
        })),
      });
      return {
        "30 items": toAnswer(await stage.api.call("POST", "/batch", { body: queries(30) })),
        "31 items": toAnswer(await stage.api.call("POST", "/batch", { body: queries(31) })),
      };
    },
  },
  {
    name: "attachments",
    play: async (stage) => {
      const made = findInvoice(await create(stage));
      const upload = (name: string, type: string, requestid = unique()) => {
        const form = new FormData();
        const metadata = {
          AttachableRef: [{ EntityRef: { type: "Invoice", value: made?.Id } }],
          FileName: name,
          ContentType: type,
        };
        form.set(
          "file_metadata_01",
          new Blob([JSON.stringify(metadata)], { type: "application/json" }),
          "attachment.json",
        );
        form.set("file_content_01", new Blob([CONTENT], { type }), name);
        return stage.api.call("POST", "/upload", { form, query: { requestid } });
      };
      const item = ({ json }: Reply) =>
        (
          json["AttachableResponse"] as
            | { Attachable?: object; Fault?: { Error?: { code?: string }[] } }[]
            | undefined
        )?.[0];
      const readId = (reply: Reply) => ((item(reply)?.Attachable ?? {}) as { Id?: string }).Id;
      const id = unique();
      const good = await upload("record.pdf", "application/pdf", id);
      const again = await upload("record.pdf", "application/pdf", id);
      for (const attachment of [readId(good), readId(again)])
        if (attachment) stage.made.add(`Attachable ${attachment}`);
      const bad = await upload("record.exe", "application/x-msdownload");
      const read = await stage.api.call("GET", `/attachable/${readId(good)}`);
      const [found] = await stage.api.query(`select * from Attachable where Id = '${readId(good)}'`);
      const link = await stage.api.call("GET", `/download/${readId(good)}`);
      const isFetched = async (address: unknown) =>
        URL.canParse(String(address)) && (await (await fetch(String(address))).text()) === CONTENT;
      const readAddress = (attachable: unknown) =>
        (attachable as { TempDownloadUri?: string } | undefined)?.TempDownloadUri;
      return {
        "a PDF": toAnswer(good),
        "a PDF is attached": item(good)?.Attachable !== undefined,
        "with the same request id": toAnswer(again),
        "it is attached once": readId(again) !== undefined && readId(again) === readId(good),
        "a program": toAnswer(bad),
        "a program is refused with": item(bad)?.Fault?.Error?.[0]?.code ?? null,
        read: toAnswer(read),
        "the upload's answer has an address that gives the file": await isFetched(
          readAddress(item(good)?.Attachable),
        ),
        "what is read has one": await isFetched(readAddress(read.json["Attachable"])),
        "what a query finds has one": await isFetched(readAddress(found)),
        "its download is an address that gives the file": await isFetched(link.json["notJson"]),
      };
    },
  },
];

/** The last one: should a stale token end the authorization, nothing is left to do. */
export const rotation: Play = {
  name: "rotation",
  play: async ({ api }) => {
    const before = { ...api.tokens };
    const reply = await api.refresh();
    const { access_token: access, refresh_token: refresh } = reply.json;
    api.tokens.access = String(access);
    api.tokens.refresh = String(refresh);
    return {
      refreshed: reply.status,
      fields: Object.keys(reply.json).sort(),
      "the refresh token stays within a day": refresh === before.refresh,
      "the access token is another": access !== before.access,
      "the access token before is still good":
        (await api.call("GET", "/preferences", { bearer: before.access })).status === 200,
      "an unknown refresh token": String((await api.refresh("unknown")).json["error"]),
    };
  },
};

/** Deletes everything that a play made. @returns what could not be */
export async function deleteMade({ api, made }: Stage): Promise<string[]> {
  const left: string[] = [];
  const all = KINDS.flatMap((kind) => [...made].filter((each) => each.startsWith(`${kind} `)));
  for (const each of all) {
    const [kind = "", id = ""] = each.split(" ");
    const path = `/${kind.toLowerCase()}`;
    const { json } = await api.call("GET", `${path}/${id}`);
    const { SyncToken } = (json[kind] ?? {}) as { SyncToken?: string };
    const { status } = await api.call("POST", path, {
      query: { operation: "delete" },
      body: { Id: id, SyncToken },
    });
    if (status !== 200) left.push(each);
  }
  return left;
}
