import { setTimeout as wait } from "node:timers/promises";
import { create, findInvoice, invoiceBody, post, toAnswer, type Play, type Stage } from "./plays.ts";
import { unique, type Reply } from "./wire.ts";

type Named = { Name?: string; StringValue?: string; BooleanValue?: boolean };

/** Intuit's times have whole seconds. */
const NEXT_SECOND_MS = 1_100;
const PAGE = 2;

const orderOfPages: Play = {
  name: "order-of-pages",
  play: async (stage) => {
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      made.push(findInvoice(await create(stage))?.Id ?? "");
      await wait(NEXT_SECOND_MS);
    }
    const [first = "", ...others] = made;
    await stage.api.call("POST", "/invoice", {
      body: { Id: first, SyncToken: "0", sparse: true, PrivateNote: "changed" },
    });
    const where = `where Id in (${made.map((id) => `'${id}'`).join(", ")})`;
    const read = async (orderBy: string, expected: readonly string[]) => {
      const found: string[] = [];
      for (let start = 1; start <= made.length; start += PAGE) {
        const query = `select Id from Invoice ${where} ${orderBy} startposition ${start} maxresults ${PAGE}`;
        const reply = await stage.api.call("GET", "/query", { query: { query } });
        if (reply.status !== 200) return toAnswer(reply);
        const { Invoice = [] } = reply.json["QueryResponse"] as { Invoice?: { Id: string }[] };
        found.push(...Invoice.map(({ Id }) => Id));
      }
      const isWhole = found.length === made.length && new Set(found).size === made.length;
      return `${nameOrder(found, expected)}, ${isWhole ? "each once" : "some twice or not at all"}`;
    };
    return {
      "without an order": await read("", made),
      "by Id": await read("orderby Id", made),
      "by creation": await read("orderby MetaData.CreateTime", made),
      "by last change": await read("orderby MetaData.LastUpdatedTime", [...others, first]),
    };
  },
};

function nameOrder(found: readonly string[], expected: readonly string[]): string {
  if (found.join() === expected.join()) return "oldest first";
  return found.join() === expected.toReversed().join() ? "newest first" : "another order";
}

/** Invoices, credit memos and sales receipts may share their numbers, and a payment changes an invoice. */
const otherSales: Play = {
  name: "other-sales",
  play: async (stage) => {
    const number = `DS-${unique()}`;
    const invoice = findInvoice(await create(stage, { DocNumber: number }));
    const memo = await post(stage, "CreditMemo", invoiceBody(stage));
    const receipt = await post(stage, "SalesReceipt", invoiceBody(stage));
    const sameMemo = await post(stage, "CreditMemo", invoiceBody(stage, { DocNumber: number }));
    const sameReceipt = await post(stage, "SalesReceipt", invoiceBody(stage, { DocNumber: number }));
    const payment = await post(stage, "Payment", {
      CustomerRef: { value: stage.customer },
      TotalAmt: 1,
      Line: [{ Amount: 1, LinkedTxn: [{ TxnId: invoice?.Id, TxnType: "Invoice" }] }],
    });
    const paid = findInvoice(await stage.api.call("GET", `/invoice/${invoice?.Id}`)) as
      | { Id: string; SyncToken: string; Balance?: number; LinkedTxn?: { TxnType: string }[] }
      | undefined;
    const changed = await stage.api.call("POST", "/invoice", {
      body: { Id: paid?.Id, SyncToken: paid?.SyncToken, sparse: true, PrivateNote: "changed" },
    });
    const hasNumber = ({ json }: Reply, kind: string) =>
      (json[kind] as { DocNumber?: string } | undefined)?.DocNumber !== undefined;
    return {
      "a credit memo": toAnswer(memo),
      "it gets a number": hasNumber(memo, "CreditMemo"),
      "a credit memo with the number of an invoice": toAnswer(sameMemo),
      "a sales receipt": toAnswer(receipt),
      "the receipt gets a number": hasNumber(receipt, "SalesReceipt"),
      "a sales receipt with the number of an invoice": toAnswer(sameReceipt),
      "a payment": toAnswer(payment),
      "the balance of the paid invoice": paid?.Balance ?? null,
      "its links": (paid?.LinkedTxn ?? []).map(({ TxnType }) => TxnType),
      "its sync token is another": paid?.SyncToken !== invoice?.SyncToken,
      "a change of the paid invoice": toAnswer(changed),
    };
  },
};

const ownFields: Play = {
  name: "own-fields",
  play: async (stage) => {
    const { json } = await stage.api.call("GET", "/preferences");
    const sales = (json["Preferences"] as { SalesFormsPrefs?: { CustomField?: { CustomField?: Named[] }[] } })
      ?.SalesFormsPrefs;
    const preferences = sales?.CustomField?.flatMap(({ CustomField = [] }) => CustomField) ?? [];
    const names = preferences.flatMap(({ Name, StringValue }) =>
      Name?.startsWith("SalesFormsPrefs.SalesCustomName") && StringValue ? [StringValue] : [],
    );
    for (const name of names) stage.api.secrets.add(name);
    const made = async (field: { DefinitionId: string; StringValue: string; Name?: string }) => {
      const reply = await create(stage, { CustomField: [{ Type: "StringType", ...field }] });
      const { CustomField = [] } = (findInvoice(reply) ?? {}) as {
        CustomField?: { DefinitionId: string; StringValue?: string; Name?: string }[];
      };
      const kept = CustomField.find(({ DefinitionId }) => DefinitionId === field.DefinitionId);
      const isRenamed = field.Name !== undefined && kept?.Name === field.Name;
      const state = kept?.StringValue === field.StringValue ? "kept" : "not kept";
      return `${toAnswer(reply)}, ${state}${isRenamed ? " and renamed" : ""}`;
    };
    const { Id } = findInvoice(await create(stage)) ?? {};
    const enhanced = await stage.api.call("GET", `/invoice/${Id}`, {
      query: { include: "enhancedAllCustomFields" },
    });
    return {
      "fields in use": preferences.filter(({ BooleanValue }) => BooleanValue === true).length,
      "with a name in the preferences": names.length,
      "a value": await made({ DefinitionId: "1", StringValue: "own" }),
      "a value under another name": await made({ DefinitionId: "1", Name: "Another", StringValue: "own" }),
      "of 31 characters": await made({ DefinitionId: "1", StringValue: "V".repeat(31) }),
      "of 32 characters": await made({ DefinitionId: "1", StringValue: "V".repeat(32) }),
      "of a field that does not exist": await made({ DefinitionId: "9", StringValue: "own" }),
      "all fields of an invoice": toAnswer(enhanced),
      "fields that it lists":
        ((findInvoice(enhanced) ?? {}) as { CustomField?: unknown[] }).CustomField?.length ?? 0,
    };
  },
};

/** One more than Intuit answers at once. */
const CHANGES = 1_001;
/** Reports say that larger batches time out. */
const BATCH = 25;
const CALM_WITHIN_MS = 120_000;
const CALM_EVERY_MS = 5_000;

/** Played late: it uses up the batches of its minute. */
const manyChanges: Play = {
  name: "many-changes",
  play: async (stage) => {
    const invoice = invoiceBody(stage);
    const made = await batchInvoices(
      stage,
      Array.from({ length: CHANGES }, () => ({ operation: "create", Invoice: invoice })),
    );
    for (const { Id } of made) stage.made.add(`Invoice ${Id}`);
    const since = made[0]?.MetaData?.CreateTime ?? "";
    const created = await readChanges(stage, since);
    const deleted = await batchInvoices(
      stage,
      made.map(({ Id, SyncToken }) => ({ operation: "delete", Invoice: { Id, SyncToken } })),
    );
    for (const { Id } of deleted) stage.made.delete(`Invoice ${Id}`);
    const after = await readChanges(stage, since);
    const has = (at: number) => created.ids.includes(made.at(at)?.Id ?? "");
    return {
      created: made.length,
      "answer to their changes": created.answer,
      "changes in it": created.ids.length,
      "the oldest is in it": has(0),
      "the newest is in it": has(-1),
      deleted: deleted.length,
      "answer after it": after.answer,
      "deleted ones are in it": after.hasDeleted,
    };
  },
};

type BatchInvoice = { Id: string; SyncToken?: string; MetaData?: { CreateTime: string } };

/** Runs operations in as many batches as it takes. @returns the invoices of those that were done */
async function batchInvoices({ api }: Stage, operations: readonly object[]): Promise<BatchInvoice[]> {
  const done: BatchInvoice[] = [];
  for (let start = 0; start < operations.length; start += BATCH) {
    const BatchItemRequest = operations
      .slice(start, start + BATCH)
      .map((operation, at) => ({ bId: `b${at}`, ...operation }));
    const { json } = await untilAdmitted(() => api.call("POST", "/batch", { body: { BatchItemRequest } }));
    const answers = (json["BatchItemResponse"] ?? []) as { Invoice?: BatchInvoice }[];
    done.push(...answers.flatMap(({ Invoice }) => Invoice ?? []));
  }
  return done;
}

async function untilAdmitted(ask: () => Promise<Reply>): Promise<Reply> {
  for (let waited = 0; ; waited += CALM_EVERY_MS) {
    const reply = await ask();
    if (reply.status !== 429 || waited >= CALM_WITHIN_MS) return reply;
    await wait(CALM_EVERY_MS);
  }
}

async function readChanges({ api }: Stage, changedSince: string) {
  const reply = await untilAdmitted(() =>
    api.call("GET", "/cdc", { query: { entities: "Invoice", changedSince } }),
  );
  const [response] = (reply.json["CDCResponse"] ?? []) as {
    QueryResponse?: { Invoice?: { Id: string; status?: string }[] }[];
  }[];
  const objects = response?.QueryResponse?.flatMap(({ Invoice = [] }) => Invoice) ?? [];
  return {
    answer: toAnswer(reply),
    ids: objects.map(({ Id }) => Id),
    hasDeleted: objects.some(({ status }) => status === "Deleted"),
  };
}

/** Played after what is quick. */
export const BOOKS_PLAYS: readonly Play[] = [orderOfPages, otherSales, ownFields, manyChanges];
