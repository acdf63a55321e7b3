import { refuse } from "#features/orders/intake/refuse.ts";
import { readSheet, type SheetInput } from "#features/orders/intake/read-sheet.ts";
import { readX12 } from "#features/orders/intake/read-x12.ts";
import { readXml } from "#features/orders/intake/read-xml.ts";
import type { Reply } from "#features/orders/intake/write-reply.ts";
import { formatCount } from "#formats/text/phrases.ts";
import { partnerFrom, type Partner } from "#features/orders/partners/partners.ts";
import type { OrderDocument, Trading } from "#features/orders/types.ts";
import { isTextName } from "#features/sheets/reading.ts";

/** Documents of a file with their retailer, and the acknowledgments that answer it, whose sets name the same documents. */
export type ReadOrders = {
  documents: readonly { partner: string; document: OrderDocument; trading?: Trading | null }[];
  replies: readonly (Reply & { partner: string })[];
};

/** `now` is the time of the acknowledgments, in milliseconds. */
export type FileInput = SheetInput & { now: number; partners: readonly [Partner, ...Partner[]] };

/** Documents of one file; more is refused, because all of them are stored in one transaction. */
const MAX_DOCUMENTS = 5_000;

/** Reads a file of orders. Runs in a worker thread. @throws FileRefused for a sheet that cannot be read at all */
export function run(bytes: Uint8Array, input: FileInput): ReadOrders {
  const read = readFile(bytes, input);
  const count = Math.max(read.documents.length, read.replies.length);
  if (count <= MAX_DOCUMENTS) return read;
  const problem = `The file has ${formatCount(count)} orders or other documents; you can add at most ${formatCount(MAX_DOCUMENTS)} at a time. Split the file.`;
  const partner = read.documents[0]?.partner ?? "";
  return { documents: [{ partner, document: refuse("", [problem]) }], replies: [] };
}

/**
 * Reads a file of orders by its content: X12 begins with ISA, XML with a tag, a workbook is a ZIP archive. Only other text is
 * known by its name, as a CSV file.
 */
function readFile(bytes: Uint8Array, { now, partners, ...sheet }: FileInput): ReadOrders {
  const findOwn = (sender: string) => partnerFrom(partners, sender);
  const byPartner = (sender: string, documents: readonly OrderDocument[]) =>
    documents.map((document) => ({ partner: findOwn(sender).id, document }));
  const start = Buffer.from(bytes.subarray(0, 200))
    .toString("latin1")
    .replace(/^(?:ï»¿|\s)+/, "");
  if (start.startsWith("<")) {
    const { documents, tradings } = readXml(bytes);
    return {
      documents: documents.map((document, at) => {
        const trading = tradings[at] ?? null;
        return { partner: findOwn(trading?.merchant ?? "").id, document, trading };
      }),
      replies: [],
    };
  }
  const isSheet = start.startsWith("PK") || (!start.startsWith("ISA") && isTextName(sheet.fileName));
  if (isSheet) {
    const isCutText = !start.startsWith("PK") && isCut(Buffer.from(bytes).toString("latin1"));
    const documents = isCutText ? refuseCut() : readSheet(bytes, sheet);
    return { documents: byPartner("", documents), replies: [] };
  }
  const read = readX12(bytes, findOwn, new Date(now));
  return {
    documents: read.flatMap(({ sender, documents, trading }) =>
      byPartner(sender, documents).map((document) => ({ ...document, trading })),
    ),
    replies: read.flatMap(({ sender, reply }) => (reply ? { ...reply, partner: findOwn(sender).id } : [])),
  };
}

const refuseCut = () => [refuse("", [CUT])];

const CUT =
  "The last row of the file is cut off: it has fewer cells than every row before it. Write the whole file under a name that ends in .part, rename it when it's complete, and add it again.";

/** Whether a text ends within its last row: without a line break, and with fewer separators than each row before it. */
function isCut(text: string): boolean {
  // In UTF-16 a byte of zero follows.
  if (/[\r\n]\0?$/.test(text)) return false;
  const rows = text.split(/\r\n|\r|\n/).filter((row) => row !== "");
  const [header = "", ...others] = rows;
  const last = others.pop();
  if (last === undefined || others.length === 0) return false;
  const count = (row: string, separator: string) => row.split(separator).length - 1;
  const separator = [",", ";", "\t", "|"].toSorted((a, b) => count(header, b) - count(header, a))[0] ?? ",";
  const found = count(last, separator);
  return [header, ...others].every((row) => count(row, separator) > found);
}
