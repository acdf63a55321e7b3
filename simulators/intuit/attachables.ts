import { fault, ApiFault, missing } from "./api-fault.ts";
import type { Entity } from "./books.ts";
import { checkProperties } from "./check-properties.ts";
import { kindNamed } from "./query-properties.ts";
import { checkSyncToken, findPrevious, nextToken, removeObject } from "./object-version.ts";
import {
  readList,
  metaNow,
  refValue,
  store,
  withoutEmpty,
  type Fields,
  type WriteContext,
} from "./write-context.ts";
import { parseMultipart, type Part } from "../kit/multipart.ts";
import type { ApiCall } from "./api-call.ts";
import { faultBody, type ApiAnswer } from "./api-replies.ts";
import { writeContext } from "./query-run.ts";
import { temporaryUrl } from "./downloads.ts";
import { envelopeTime } from "./wire-time.ts";

export type IncomingFile = { metadata: Fields; fileName: string; contentType: string; content: Buffer };

const FIRST_ID = 5_000_000_000_000_503_601n;
const REQUEST_LIMIT = 100 * 1024 * 1024;
const TYPES =
  /^(application\/(pdf|msword|vnd\.openxmlformats-officedocument\.[\w.]+|vnd\.ms-excel|rtf|xml|postscript|illustrator|vnd\.oasis\.opendocument\.spreadsheet)|image\/(jpeg|jpg|png|gif|tiff?)|text\/(plain|csv|xml|rtf))$/i;

/** Stores one uploaded file. @throws ApiFault 2010, 6000, 6030, 6041, 6050 */
export function createAttachable(ctx: WriteContext, file: IncomingFile): Entity {
  const { metadata } = file;
  checkProperties("Attachable", metadata, { latin1Only: false });
  if (file.content.length > REQUEST_LIMIT) throw fault("6030", "The attachment is larger than 100 MB.");
  if (!TYPES.test(file.contentType.split(";")[0]?.trim() ?? "")) {
    throw fault("6041", `Unsupported attachment file type : ${file.contentType}`);
  }
  checkLinks(ctx, metadata);
  const { realmId } = ctx.company;
  const id = ctx.sim.books.nextId(realmId, "Attachable", FIRST_ID);
  const entity: Entity = {
    ...withoutEmpty(metadata),
    FileName: String(metadata["FileName"] ?? file.fileName),
    FileAccessUri: `/v3/company/${realmId}/download/${id}`,
    Size: file.content.length,
    ContentType: String(metadata["ContentType"] ?? file.contentType),
    domain: "QBO",
    sparse: false,
    Id: id,
    SyncToken: "0",
    MetaData: metaNow(ctx),
  };
  ctx.sim.db
    .prepare("INSERT INTO file (realm_id, id, content) VALUES (?, ?, ?)")
    .run(realmId, id, file.content);
  store(ctx, "Attachable", { entity, operation: "attached" });
  return entity;
}

/** Changes the description or the links of a file. @throws ApiFault */
export function updateAttachable(ctx: WriteContext, input: Fields): Entity {
  const previous = findPrevious(ctx, "Attachable", input);
  checkSyncToken(ctx, input, previous);
  checkProperties("Attachable", input, { latin1Only: false });
  checkLinks(ctx, input);
  const kept = {
    FileName: previous["FileName"],
    Size: previous["Size"],
    ContentType: previous["ContentType"],
  };
  const entity: Entity = {
    ...(String(input["sparse"]) === "true" ? previous : kept),
    ...withoutEmpty(input),
    FileAccessUri: previous["FileAccessUri"],
    Size: previous["Size"],
    domain: "QBO",
    sparse: false,
    Id: previous.Id,
    SyncToken: nextToken(previous),
    MetaData: metaNow(ctx, previous),
  };
  store(ctx, "Attachable", { entity, operation: "changed" });
  return entity;
}

/** Deletes a file; no SyncToken is needed. @throws ApiFault 610 */
export function deleteAttachable(ctx: WriteContext, input: Fields): Fields {
  const previous = findPrevious(ctx, "Attachable", input);
  ctx.sim.db.prepare("DELETE FROM file WHERE realm_id = ? AND id = ?").run(ctx.company.realmId, previous.Id);
  return removeObject(ctx, "Attachable", previous);
}

/** @throws ApiFault 6050 for a kind without attachments, 6000 if the linked object does not exist */
function checkLinks(ctx: WriteContext, metadata: Fields): void {
  for (const link of readList(metadata, "AttachableRef")) {
    const ref = (link["EntityRef"] ?? {}) as Fields;
    const [type, value] = [String(ref["type"] ?? ref["Type"] ?? ""), refValue(link, "EntityRef") ?? ""];
    const kind = kindNamed(type);
    if (kind !== undefined && !["Invoice", "Customer", "Item"].includes(kind)) {
      throw fault("6050", `Attachment link type is not supported : ${type}`);
    }
    if (kind && ctx.sim.books.get(ctx.company.realmId, kind, value)) continue;
    throw fault(
      "6000",
      `Business Validation Error: The entity ${type} ${value} that you are trying to link does not exist`,
    );
  }
}

/**
 * POST /upload: files as pairs of parts with the same suffix; each file has its own answer, always with
 * status 200.
 */
export function uploadFiles(call: ApiCall): ApiAnswer {
  const parts = parseMultipart(call.request.headers["content-type"] ?? "", call.request.body);
  const contents = parts?.filter((part) => part.name.startsWith("file_content")) ?? [];
  if (!parts || contents.length === 0) throw missing("file_content");
  const answers = contents.map((content) => uploadOne(call, content, parts));
  return { status: 200, body: { AttachableResponse: answers, time: envelopeTime(call.receivedAt) } };
}

function uploadOne(call: ApiCall, content: Part, parts: Part[]): Fields {
  const suffix = content.name.slice("file_content".length);
  const metadata = parts.find((part) => part.name === `file_metadata${suffix}`);
  try {
    const attachable = createAttachable(writeContext(call), {
      metadata: metadata ? readMetadata(metadata) : {},
      fileName: content.fileName ?? "file",
      contentType: content.contentType,
      content: content.content,
    });
    call.tally.writes += 1;
    return {
      Attachable: {
        ...attachable,
        TempDownloadUri: temporaryUrl(call.sim, call.company.realmId, attachable.Id),
      },
    };
  } catch (error) {
    if (error instanceof ApiFault) return faultBody(error);
    throw error;
  }
}

/** @throws ApiFault 6040 if the part is not an attachable */
function readMetadata(part: Part): Fields {
  try {
    const parsed: unknown = JSON.parse(part.content.toString("utf8"));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Fields;
  } catch {
    // Falls through to the refusal below.
  }
  throw fault("6040", "Invalid attachment metadata : the metadata part is not an Attachable.");
}
