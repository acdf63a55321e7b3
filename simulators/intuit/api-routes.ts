import type { Reply } from "../kit/http.ts";
import { bodyOf, type ApiCall } from "./api-call.ts";
import { notFound } from "./api-fault.ts";
import type { ApiAnswer } from "./api-replies.ts";
import { runBatch } from "./batch.ts";
import { changesSince } from "./cdc.ts";
import { queryOf, writeContext } from "./call-context.ts";
import { companyInfo, preferences } from "./company-objects.ts";
import { downloadLink } from "./downloads.ts";
import { operationOf, unsupported, writeEntity } from "./entity-write.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import { sendInvoice } from "./invoice-send.ts";
import { kindNamed } from "./query-properties.ts";
import { uploadFiles } from "./upload.ts";
import { envelopeTime } from "./wire-time.ts";
import type { Fields } from "./write-context.ts";

/** Runs an admitted call. @throws ApiFault, 500 "Unsupported Operation" for a path nobody knows */
export function dispatch(call: ApiCall): ApiAnswer | Reply {
  const { method, url } = call.request;
  const [, , , , resource = "", id, action] = url.pathname.split("/");
  const route = `${method} ${resource.toLowerCase()}`;
  switch (route) {
    case "GET query":
      return queryAnswer(call, url.searchParams.get("query") ?? "");
    case "POST query":
      return queryAnswer(call, url.searchParams.get("query") ?? call.request.body.toString("utf8"));
    case "POST batch":
      return runBatch(call, bodyOf(call.request));
    case "GET cdc":
      return changesSince(call);
    case "POST upload":
      return uploadFiles(call);
    case "GET download":
      return downloadLink(call, id ?? "");
    case "GET companyinfo":
      return readAnswer(call, "CompanyInfo", companyInfo(call.company));
    case "GET preferences":
      return readAnswer(call, "Preferences", preferences(call.company));
    default:
      return entityAnswer(call, { resource, id, action });
  }
}

function queryAnswer(call: ApiCall, statement: string): ApiAnswer {
  return { status: 200, body: { QueryResponse: queryOf(call, statement), time: envelopeTime(call.receivedAt) } };
}

function readAnswer(call: ApiCall, name: string, entity: Fields): ApiAnswer {
  call.tally.reads += 1;
  return { status: 200, body: { [name]: entity, time: envelopeTime(call.receivedAt) } };
}

type EntityPath = { resource: string; id: string | undefined; action: string | undefined };

function entityAnswer(call: ApiCall, { resource, id, action }: EntityPath): ApiAnswer | Reply {
  const { method } = call.request;
  const kind = kindNamed(resource);
  if (!kind || resource !== resource.toLowerCase()) throw unsupported(`${method} ${resource}`);
  if (method === "GET" && id !== undefined) {
    const entity = call.sim.books.get(call.company.realmId, kind, id);
    if (!entity) throw notFound();
    if (action === undefined) return readAnswer(call, kind, entity);
    if (action === "pdf" && kind === "Invoice") return invoicePdf(call, entity);
  }
  if (method === "POST" && action === "send" && kind === "Invoice" && id !== undefined) return sendInvoice(call, id);
  if (method !== "POST" || id !== undefined) throw unsupported(`${method} ${resource}`);
  const input = bodyOf(call.request);
  const query = call.request.url.searchParams;
  const entity = writeEntity(writeContext(call), {
    kind,
    operation: operationOf(query, input),
    input,
    options: { allowDuplicateDocNumber: (query.get("include") ?? "").split(",").includes("allowduplicatedocnum") },
  });
  call.tally.writes += 1;
  return { status: 200, body: { [kind]: entity, time: envelopeTime(call.receivedAt) } };
}
