import { withAlteredRates } from "./alter-rate.ts";
import type { ApiCall } from "./api-call.ts";
import { ApiFault, fault, missing } from "./api-fault.ts";
import { faultBody, type ApiAnswer } from "./api-replies.ts";
import { queryOf, writeContext } from "./call-context.ts";
import { unsupported, writeEntity } from "./entity-write.ts";
import { BATCH_ITEM, type FaultKind, type FaultRule } from "./fault-rules.ts";
import { kindNamed } from "./query-properties.ts";
import { batchItemKey, firstAnswer, keepAnswer } from "./request-replay.ts";
import { readSettings } from "./settings.ts";
import { envelopeTime } from "./wire-time.ts";
import { listOf, type Fields } from "./write-context.ts";

/**
 * Runs the items of a batch one by one; a failing item never stops the others. With a `requestid` each item has the
 * key requestid + `bId`: an item answered before answers the same again and does not act.
 * @throws ApiFault 1040 for too many items, 2050 for a `bId` over 10 characters beside a requestid
 */
export function runBatch(call: ApiCall, body: Fields): ApiAnswer {
  const items = listOf(body, "BatchItemRequest");
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
  if (kept) {
    call.tally.replayed += 1;
    return kept.body;
  }
  const { body, isFault } = runItem(call, item);
  if (key !== null && (!isFault || readSettings(sim).replayErrors)) {
    keepAnswer(sim, company.realmId, { key, answer: { status: 200, body } });
  }
  return body;
}

function runItem(call: ApiCall, item: Fields): { body: Fields; isFault: boolean } {
  try {
    const rule = pickRule(call);
    const body =
      typeof item["Query"] === "string"
        ? { QueryResponse: queryOf(call, item["Query"]) }
        : writeItem(call, item, rule);
    if (rule?.fault === "committed_500") throw asked(rule);
    return { body, isFault: false };
  } catch (error) {
    if (error instanceof ApiFault) return { body: faultBody(error), isFault: true };
    throw error;
  }
}

/** The fault rule that hits this item. @throws ApiFault unless the rule lets it be written */
function pickRule({ sim, company, request }: ApiCall): FaultRule | undefined {
  const subject = {
    path: request.url.pathname,
    method: request.method,
    realmId: company.realmId,
    operation: BATCH_ITEM,
  };
  const rule = sim.faultRules.pick(subject);
  if (rule && !WRITING.has(rule.fault)) throw asked(rule);
  return rule;
}

/** Faults under which an item is written all the same. */
const WRITING: ReadonlySet<FaultKind> = new Set(["altered_rate", "committed_500"]);

const asked = ({ code, detail }: FaultRule) => fault(code ?? "10000", detail ?? "Asked of the simulator.");

function writeItem(call: ApiCall, item: Fields, rule: FaultRule | undefined): Fields {
  const [name, input] = Object.entries(item).find(
    ([, value]) => typeof value === "object" && value !== null,
  ) ?? ["", {}];
  const kind = kindNamed(name);
  if (!kind) throw unsupported(name === "" ? "without an object" : name);
  if (typeof item["operation"] !== "string") throw missing("operation");
  const isAltered = rule?.fault === "altered_rate" || rule?.altered === true;
  const entity = writeEntity(writeContext(call), {
    kind,
    operation: item["operation"].toLowerCase(),
    input: isAltered ? withAlteredRates(input as Fields) : (input as Fields),
    options: { allowDuplicateDocNumber: String(item["optionsData"] ?? "").includes("allowduplicatedocnum") },
  });
  call.tally.writes += 1;
  return { [kind]: entity };
}
