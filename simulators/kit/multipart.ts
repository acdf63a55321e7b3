export type Part = {
  name: string;
  fileName: string | undefined;
  contentType: string;
  encoding: string;
  content: Buffer;
};

const BREAK = Buffer.from("\r\n");

/**
 * Parses a multipart/form-data body, binary safe. Decodes base64 parts, as Intuit does.
 * @returns undefined if the content type has no boundary
 */
export function parseMultipart(contentType: string, body: Buffer): Part[] | undefined {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  if (!boundary) return undefined;
  const marker = Buffer.from(`--${boundary[1] ?? boundary[2]}`);
  const parts: Part[] = [];
  let start = body.indexOf(marker);
  while (start >= 0) {
    const from = start + marker.length;
    const next = body.indexOf(Buffer.concat([BREAK, marker]), from);
    if (next < 0) return parts;
    const part = parsePart(body.subarray(from + BREAK.length, next));
    if (part) parts.push(part);
    start = next + BREAK.length;
  }
  return parts;
}

function parsePart(bytes: Buffer): Part | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const headers = new Map<string, string>();
  for (const line of bytes.subarray(0, end).toString("utf8").split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const disposition = headers.get("content-disposition") ?? "";
  const encoding = (headers.get("content-transfer-encoding") ?? "binary").toLowerCase();
  const raw = bytes.subarray(end + 4);
  return {
    name: /\bname="([^"]*)"/.exec(disposition)?.[1] ?? "",
    fileName: /\bfilename="([^"]*)"/.exec(disposition)?.[1],
    contentType: headers.get("content-type") ?? "application/octet-stream",
    encoding,
    content: encoding === "base64" ? Buffer.from(raw.toString("latin1"), "base64") : Buffer.from(raw),
  };
}
