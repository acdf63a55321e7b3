import type { Reply } from "../kit/http.ts";
import { readFields, type ApiCall } from "./api-call.ts";
import { notFound } from "./api-fault.ts";
import type { ApiAnswer } from "./api-replies.ts";
import { runBatch } from "./batch.ts";
import type { Kind } from "./books.ts";
import { changesSince } from "./cdc.ts";
import { runStatement, writeContext } from "./query-run.ts";
import { companyInfo, preferences } from "./company-objects.ts";
import { downloadLink } from "./downloads.ts";
import { readOperation, unsupported, writeEntity } from "./entity-write.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import { sendInvoice } from "./invoice-send.ts";
import { kindNamed } from "./query-properties.ts";
import { uploadFiles } from "./attachables.ts";
import { envelopeTime } from "./wire-time.ts";
import type { Fields } from "./write-context.ts";

/** Runs an admitted call. @throws ApiFault, 500 "Unsupported Operation" for an unknown path */
export function dispatch(call: ApiCall): ApiAnswer | Reply {
  const { method, url } = call.request;
  const [, , , , resource = "", id, action] = url.pathname.split("/");
  const route = ROUTES[`${method} ${resource}`];
  return route ? route(call, id ?? "") : entityAnswer(call, { resource, id, action });
}

const ROUTES: Record<string, (call: ApiCall, id: string) => ApiAnswer | Reply> = {
  "GET query": (call) => queryAnswer(call, call.request.url.searchParams.get("query") ?? ""),
  "POST query": (call) =>
    queryAnswer(call, call.request.url.searchParams.get("query") ?? call.request.body.toString("utf8")),
  "POST batch": (call) => runBatch(call, readFields(call.request)),
  "GET cdc": changesSince,
  "POST upload": uploadFiles,
  "GET download": downloadLink,
  "GET companyinfo": (call) => readAnswer(call, "CompanyInfo", companyInfo(call.company)),
  "GET preferences": (call) => readAnswer(call, "Preferences", preferences(call.company)),
};

function queryAnswer(call: ApiCall, statement: string): ApiAnswer {
  return {
    status: 200,
    body: { QueryResponse: runStatement(call, statement), time: envelopeTime(call.receivedAt) },
  };
}

function readAnswer(call: ApiCall, name: string, entity: Fields): ApiAnswer {
  call.tally.reads += 1;
  return { status: 200, body: { [name]: entity, time: envelopeTime(call.receivedAt) } };
}

type EntityPath = { resource: string; id: string | undefined; action: string | undefined };

function entityAnswer(call: ApiCall, path: EntityPath): ApiAnswer | Reply {
  const { method } = call.request;
  const kind = path.resource === path.resource.toLowerCase() ? kindNamed(path.resource) : undefined;
  if (kind && method === "GET" && path.id !== undefined) return readEntity(call, kind, path);
  if (kind === "Invoice" && method === "POST" && path.action === "send")
    return sendInvoice(call, path.id ?? "");
  if (kind && method === "POST" && path.id === undefined) return writeAnswer(call, kind);
  throw unsupported(`${method} ${path.resource}`);
}

function readEntity(call: ApiCall, kind: Kind, { id, action }: EntityPath): ApiAnswer | Reply {
  const entity = call.sim.books.get(call.company.realmId, kind, id ?? "");
  if (!entity) throw notFound();
  if (action === undefined) return readAnswer(call, kind, entity);
  if (action === "pdf" && kind === "Invoice") return invoicePdf(call, entity);
  throw unsupported(action);
}

function writeAnswer(call: ApiCall, kind: Kind): ApiAnswer {
  const input = readFields(call.request);
  const query = call.request.url.searchParams;
  const allowDuplicateDocNumber = (query.get("include") ?? "").split(",").includes("allowduplicatedocnum");
  const operation = readOperation(query, input);
  const entity = writeEntity(writeContext(call), {
    kind,
    operation,
    input,
    options: { allowDuplicateDocNumber },
  });
  call.tally.writes += 1;
  return { status: 200, body: { [kind]: entity, time: envelopeTime(call.receivedAt) } };
}
