import { notXlsx } from "./refusals.ts";
import { FileRefused } from "../facts.ts";

/**
 * Looks at the first bytes and refuses whatever is not a ZIP archive, naming what it is.
 * @throws FileRefused for empty files, old Excel, password protection, text, web pages, pictures and PDF
 */
export function refuseOtherKinds(bytes: Buffer): void {
  if (bytes.length === 0) {
    throw new FileRefused("empty_file");
  }
  if (bytes.length >= 4 && bytes.readUInt32LE(0) === 0x04034b50) return;
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) throw compoundFile(bytes);
  for (const [signature, what] of SIGNATURES) if (startsWith(bytes, signature)) throw notXlsx(what);
  throw notXlsx(describeText(bytes));
}

const SIGNATURES: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x05, 0x06], "an empty archive"],
  [[0x89, 0x50, 0x4e, 0x47], "a PNG picture"],
  [[0xff, 0xd8, 0xff], "a JPEG picture"],
  [[0x47, 0x49, 0x46, 0x38], "a GIF picture"],
  [[0x25, 0x50, 0x44, 0x46], "a PDF document"],
  [[0x1f, 0x8b], "a gzip archive"],
];

/** Old Excel and encrypted new Excel share the same outer format; the names of the streams inside distinguish them. */
function compoundFile(bytes: Buffer): FileRefused {
  if (bytes.includes(Buffer.from("EncryptedPackage", "utf16le"))) {
    return new FileRefused("encrypted");
  }
  const isWorkbook = ["Workbook", "Book"].some((name) => bytes.includes(Buffer.from(`${name}\0`, "utf16le")));
  if (isWorkbook) return new FileRefused("old_excel");
  return notXlsx("an older Office document");
}

function describeText(bytes: Buffer): string {
  const head = bytes.subarray(0, 4096);
  const text = new TextDecoder(encodingOf(head)).decode(head);
  if (/<(!doctype html|html|table)\b/i.test(text)) return "a web page (HTML)";
  if (text.includes("urn:schemas-microsoft-com:office:spreadsheet")) return "an Excel 2003 XML file";
  if (/^\s*\uFEFF?\s*</.test(text)) return "an XML file";
  if (/[\0-\x08\x0e-\x1f\uFFFD]/.test(text.slice(0, -4))) return "of an unknown kind";
  return /[,;\t|]/.test(text) ? "a CSV or text file" : "a text file";
}

function encodingOf(head: Buffer): string {
  if (head[1] === 0 || startsWith(head, [0xff, 0xfe])) return "utf-16le";
  return head[0] === 0 || startsWith(head, [0xfe, 0xff]) ? "utf-16be" : "utf-8";
}

function startsWith(bytes: Buffer, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}
