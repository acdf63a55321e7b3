import { notXlsx } from "./refusals.ts";
import { FileRefused } from "../facts.ts";

/** First bytes of files, one character a byte, and what they are. */
const SIGNATURES = [
  ["PK\x03\x04", "zip"],
  ["\xD0\xCF\x11\xE0", "compound"],
  ["PK\x05\x06", "an empty archive"],
  ["\x89PNG", "a PNG picture"],
  ["\xFF\xD8\xFF", "a JPEG picture"],
  ["GIF8", "a GIF picture"],
  ["%PDF", "a PDF document"],
  ["\x1F\x8B", "a gzip archive"],
] as const;

/** What a file is by its first bytes: an archive, as workbooks are, or a kind known by name; undefined for others. */
export function kindOfFile(bytes: Uint8Array): (typeof SIGNATURES)[number][1] | undefined {
  const head = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  return SIGNATURES.find(([signature]) => head.startsWith(signature))?.[1];
}

/**
 * Refuses whatever is not a ZIP archive, naming what it is.
 * @throws FileRefused for empty files, old Excel, password protection, text, web pages, pictures and PDF
 */
export function refuseOtherKinds(bytes: Buffer): void {
  if (bytes.length === 0) throw new FileRefused("empty_file");
  const kind = kindOfFile(bytes);
  if (kind === "zip") return;
  throw kind === "compound" ? compoundFile(bytes) : notXlsx(kind ?? describeText(bytes));
}

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

function encodingOf([first, second]: Buffer): string {
  if (second === 0 || (first === 0xff && second === 0xfe)) return "utf-16le";
  return first === 0 || (first === 0xfe && second === 0xff) ? "utf-16be" : "utf-8";
}
