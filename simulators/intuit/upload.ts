import { parseMultipart, type Part } from "../kit/multipart.ts";
import type { ApiCall } from "./api-call.ts";
import { ApiFault, fault, missing } from "./api-fault.ts";
import { faultBody, type ApiAnswer } from "./api-replies.ts";
import { writeContext } from "./call-context.ts";
import { createAttachable } from "./attachables.ts";
import { temporaryUrl } from "./downloads.ts";
import { envelopeTime } from "./wire-time.ts";
import type { Fields } from "./write-context.ts";

/** POST /upload: files in pairs of parts with one suffix; each file has its own answer, always under status 200. */
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

/** @throws ApiFault 6040 when the part is no attachable */
function readMetadata(part: Part): Fields {
  try {
    const parsed: unknown = JSON.parse(part.content.toString("utf8"));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Fields;
  } catch {
    // Falls through to the refusal below.
  }
  throw fault("6040", "Invalid attachment metadata : the metadata part is not an Attachable.");
}
