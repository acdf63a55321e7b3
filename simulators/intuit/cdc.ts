import type { ApiCall } from "./api-call.ts";
import { fault, missing } from "./api-fault.ts";
import type { ApiAnswer } from "./api-replies.ts";
import { kindNamed } from "./query-properties.ts";
import { envelopeTime } from "./wire-time.ts";
import type { Fields } from "./write-context.ts";

const DAYS_BACK = 30;
const MAX_OBJECTS = 1000;

/**
 * GET /cdc: full objects changed since a time, and stubs of deleted ones. @throws ApiFault 2020, 2060, 4001,
 * 6000
 */
export function changesSince(call: ApiCall): ApiAnswer {
  const query = call.request.url.searchParams;
  const names = (query.get("entities") ?? "").split(",").filter((name) => name.trim() !== "");
  if (names.length === 0) throw missing("entities");
  const since = readSince(call, query.get("changedSince"));
  const responses = names.map((name) => listChanges(call, name.trim(), since));
  return {
    status: 200,
    body: { CDCResponse: [{ QueryResponse: responses }], time: envelopeTime(call.receivedAt) },
  };
}

function readSince(call: ApiCall, text: string | null): number {
  if (text === null) throw missing("changedSince");
  // A plus sign in a query string is decoded to a space.
  const since = Date.parse(text.replace(" ", "+"));
  if (Number.isNaN(since))
    throw fault("2060", `Date format is invalid. Supplied value:${text}`, "changedSince");
  if (since < call.receivedAt.getTime() - DAYS_BACK * 86_400_000) {
    throw fault("6000", `Business Validation Error: changedSince must be within the last ${DAYS_BACK} days.`);
  }
  return since;
}

function listChanges(call: ApiCall, name: string, since: number): Fields {
  const kind = kindNamed(name);
  if (!kind || kind === "TaxCode")
    throw fault("4001", `QueryValidationError: ${name} is not supported by change data capture`);
  const { sim, company } = call;
  const changed: Fields[] = sim.books
    .list(company.realmId, kind)
    .filter((entity) => Date.parse(entity.MetaData.LastUpdatedTime) >= since);
  const deleted = sim.books
    .deleted(company.realmId, kind)
    .filter(({ deletedAt }) => Date.parse(deletedAt) >= since)
    .map(({ id, deletedAt }) => ({
      domain: "QBO",
      status: "Deleted",
      Id: id,
      MetaData: { LastUpdatedTime: deletedAt },
    }));
  const objects = [...changed, ...deleted].slice(0, MAX_OBJECTS);
  call.tally.reads += objects.length;
  return objects.length === 0 ? {} : { [kind]: objects, startPosition: 1, maxResults: objects.length };
}
