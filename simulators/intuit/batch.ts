import type { ApiCall } from "./api-call.ts";
import { ApiFault, fault, missing } from "./api-fault.ts";
import { faultBody, type ApiAnswer } from "./api-replies.ts";
import { runStatement, writeContext } from "./query-run.ts";
import { unsupported, writeEntity } from "./entity-write.ts";
import { faultOfRule } from "./fault-replies.ts";
import { BATCH_ITEM, type FaultRule } from "./fault-rules.ts";
import { kindNamed } from "./query-properties.ts";
import { batchItemKey, firstAnswer, keepAnswer } from "./request-replay.ts";
import { readSettings } from "./settings.ts";
import { envelopeTime } from "./wire-time.ts";
import { readList, type Fields } from "./write-context.ts";

/**
 * Runs the items of a batch one by one; a failing item never stops the others. With a `requestid` each item
 * has the key requestid + `bId`: an item answered before gets the same answer without being executed.
 * @throws ApiFault 1040 for too many items, 2050 for a `bId` over 10 characters together with a requestid
 */
export function runBatch(call: ApiCall, body: Fields): ApiAnswer {
  const items = readList(body, "BatchItemRequest");
  const { batchMax } = readSettings(call.sim);
  if (items.length === 0) throw missing("BatchItemRequest");
  if (items.length > batchMax) {
    throw fault(
      "1040",
      `The number of items in the batch, ${items.length}, is greater than the maximum of ${batchMax}.`,
    );
  }
  const requestId = call.request.url.searchParams.get("requestid");
  const long = requestId ? items.find((item) => String(item["bId"] ?? "").length > 10) : undefined;
  if (long)
    throw fault(
      "2050",
      "String length specified does not match the supported length. Min:1 Max:10 supported.",
      "bId",
    );
  call.tally.items += items.length;
  const answers = items.map((item) => ({
    ...answerItem(call, item, requestId),
    ...("bId" in item && { bId: item["bId"] }),
  }));
  return { status: 200, body: { BatchItemResponse: answers, time: envelopeTime(call.receivedAt) } };
}

function answerItem(call: ApiCall, item: Fields, requestId: string | null): Fields {
  const { sim, company } = call;
  const key = requestId ? batchItemKey(requestId, String(item["bId"] ?? "")) : null;
  const kept = key === null ? undefined : firstAnswer(sim, company.realmId, key);
  const rule = pickRule(call, kept !== undefined);
  if (kept && !rule) {
    call.tally.replayed += 1;
    return kept.body;
  }
  const { body, isFault } = runItem(call, item, rule);
  if (key !== null && (!isFault || readSettings(sim).replayErrors)) {
    keepAnswer(sim, company.realmId, { key, answer: { status: 200, body } });
  }
  return body;
}

function runItem(
  call: ApiCall,
  item: Fields,
  rule: FaultRule | undefined,
): { body: Fields; isFault: boolean } {
  try {
    if (rule && !isWritten(rule)) throw faultOfItem(rule);
    const body =
      typeof item["Query"] === "string"
        ? { QueryResponse: runStatement(call, item["Query"]) }
        : writeItem(call, item, rule);
    if (rule && rule.fault !== "altered_rate") throw faultOfItem(rule);
    return { body, isFault: false };
  } catch (error) {
    if (error instanceof ApiFault) return { body: faultBody(error), isFault: true };
    throw error;
  }
}

function pickRule({ sim, company, request }: ApiCall, repeat: boolean): FaultRule | undefined {
  return sim.faultRules.pick({
    path: request.url.pathname,
    method: request.method,
    realmId: company.realmId,
    operation: BATCH_ITEM,
    repeat,
  });
}

/** Whether an item is written despite a fault rule. */
const isWritten = ({ fault: name, committed }: FaultRule) =>
  name === "altered_rate" || name === "committed_500" || committed === true;

const faultOfItem = (rule: FaultRule) => faultOfRule({ ...rule, code: rule.code ?? "10000" });

function writeItem(call: ApiCall, item: Fields, rule: FaultRule | undefined): Fields {
  const [name, input] = Object.entries(item).find(
    ([, value]) => typeof value === "object" && value !== null,
  ) ?? ["", {}];
  const kind = kindNamed(name);
  if (!kind) throw unsupported(name === "" ? "without an object" : name);
  if (typeof item["operation"] !== "string") throw missing("operation");
  const isAltered = rule?.fault === "altered_rate" || rule?.altered === true;
  const entity = writeEntity(writeContext({ ...call, hiddenS: rule?.hiddenS ?? call.hiddenS }), {
    kind,
    operation: item["operation"].toLowerCase(),
    input: isAltered ? withAlteredRates(input as Fields) : (input as Fields),
    options: { allowDuplicateDocNumber: String(item["optionsData"] ?? "").includes("allowduplicatedocnum") },
  });
  call.tally.writes += 1;
  return { [kind]: entity };
}

/** Returns the invoice as if QuickBooks had stored each rate a cent higher and recalculated the amounts. */
export function withAlteredRates(invoice: Fields): Fields {
  return { ...invoice, Line: readList(invoice, "Line").map(alterLine) };
}

function alterLine(line: Fields): Fields {
  const detail = line["SalesItemLineDetail"];
  if (typeof detail !== "object" || detail === null) return line;
  const { Qty, UnitPrice, ...rest } = detail as Fields;
  if (typeof UnitPrice !== "number") return line;
  const rate = Math.round((UnitPrice + 0.01) * 100_000) / 100_000;
  const quantity = typeof Qty === "number" ? Qty : 1;
  const amount = Math.round(quantity * rate * 100) / 100;
  return { ...line, Amount: amount, SalesItemLineDetail: { ...rest, Qty: quantity, UnitPrice: rate } };
}
