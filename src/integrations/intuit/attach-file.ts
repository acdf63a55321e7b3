import * as z from "zod";
import type { CallRealm } from "#integrations/intuit/call-realm.ts";
import type { WriteOptions } from "#integrations/intuit/change-books.ts";
import { classifyFaults } from "#integrations/intuit/classify.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Answer } from "#integrations/intuit/exchange.ts";
import { instantText, quoteText } from "#integrations/intuit/query-text.ts";
import { readJsonFaults } from "#integrations/intuit/read-faults.ts";
import { queryAll } from "#integrations/intuit/run-query.ts";
import { attachable, type Attachable } from "#integrations/intuit/wire.ts";

/** Intuit takes requests of 100 MB; the rest is room for the form around the file. */
export const MAX_FILE_BYTES = 99_000_000;

export type FileToAttach = {
  invoiceId: string;
  /** At most 1000 characters. */
  fileName: string;
  /** The file's own; Intuit refuses `application/octet-stream`. */
  contentType: string;
  /** At most 2000 characters. */
  note: string;
  /** Whether QuickBooks sends the file along when it mails the invoice. */
  includeOnSend: boolean;
  bytes: Uint8Array;
};

const uploadAnswer = z.object({ AttachableResponse: z.array(z.looseObject({})).min(1) });
const fileAnswer = z.object({ Attachable: attachable });

/**
 * Attaches a file to an invoice. Intuit does not say whether it recognizes a repeated upload by its request id.
 * @throws IntuitError also for a file that is refused inside a response with status 200; `uncertain` if it may be attached
 */
export async function attachFile(
  call: CallRealm,
  file: FileToAttach,
  options: WriteOptions,
): Promise<Answer<Attachable>> {
  const form = buildForm(file, options.requestId);
  const { data, tid } = await call({ path: "/upload", write: true, form, ...options }, uploadAnswer);
  const [answer] = data.AttachableResponse;
  const faults = readJsonFaults(answer, []);
  if (faults) throw new IntuitError({ kind: classifyRefusal(faults), http: 200, faults, tid });
  const parsed = fileAnswer.safeParse(answer);
  if (parsed.success) return { data: parsed.data.Attachable, tid };
  throw new IntuitError({ kind: "uncertain", http: 200, tid, message: "the upload's answer has no file" });
}

/** An outage may have stored the file. */
function classifyRefusal(faults: Parameters<typeof classifyFaults>[0]) {
  const kind = classifyFaults(faults, 400);
  return kind === "system" ? "uncertain" : kind;
}

/** Builds the form by hand: its parts are binary, without the encodings that have corrupted PDFs of other clients. */
function buildForm(file: FileToAttach, requestId: string) {
  const boundary = `dockside-${requestId}`;
  const { invoiceId, fileName, contentType, note, includeOnSend } = file;
  const metadata = {
    AttachableRef: [{ EntityRef: { type: "Invoice", value: invoiceId }, IncludeOnSend: includeOnSend }],
    FileName: fileName,
    ContentType: contentType,
    Note: note,
    Category: "Document",
  };
  const bytes = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file_metadata_01"\r\n` +
        `Content-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="file_content_01"; filename="${quotedName(fileName)}"\r\n` +
        `Content-Type: ${contentType}\r\nContent-Transfer-Encoding: binary\r\n\r\n`,
    ),
    file.bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
}

/** As browsers write names in forms. */
const quotedName = (name: string) =>
  name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");

const FILES = { entity: "Attachable", schema: attachable };

/** Finds the files of an invoice, except those that queries do not show yet. */
export const findAttachments = (call: CallRealm, invoiceId: string): Promise<Answer<Attachable[]>> =>
  queryAll(call, {
    ...FILES,
    where: `AttachableRef.EntityRef.Type = 'invoice' and AttachableRef.EntityRef.value = ${quoteText(invoiceId)}`,
  });

/** Finds the files attached to anything at or after a time, by Intuit's clock and to the second. */
export const findAttachmentsMadeSince = (call: CallRealm, since: Date): Promise<Answer<Attachable[]>> =>
  queryAll(call, { ...FILES, where: `MetaData.CreateTime >= '${instantText(since)}'` });

/** Whether a file is attached to an invoice. */
export const isAttachedTo = ({ AttachableRef }: Attachable, invoiceId: string): boolean =>
  AttachableRef.some(
    ({ EntityRef }) => EntityRef?.type?.toLowerCase() === "invoice" && EntityRef.value === invoiceId,
  );
