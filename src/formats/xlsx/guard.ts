import { readDirectory, type Entry } from "./zip-directory.ts";
import { DEFAULT_LIMITS, type Limits } from "../limits.ts";
import { damaged, notXlsx, tooLargeUnpacked } from "./refusals.ts";
import { FileRefused } from "../facts.ts";

/** An archive with a valid directory. Parts are looked up by lowercase name, as Office does. */
export type Archive = {
  bytes: Buffer;
  entries: ReadonlyMap<string, Entry>;
  limits: Limits;
  /** Parts counted as unpacked: all XML from the start, others once read. */
  admitted: Set<Entry>;
  admittedBytes: number;
};

/**
 * Decides whether a file is safe to read from the archive's directory alone, without unpacking anything.
 * @param bytes the whole file
 * @throws FileRefused if it is another kind of file, damaged, forged, or larger than the limits
 */
export function guardWorkbook(bytes: Uint8Array, limits: Limits = DEFAULT_LIMITS): Archive {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  refuseOtherKinds(file);
  const entries = readDirectory(file, limits.maxEntries).map(withSlashes);
  const byName = new Map<string, Entry>();
  for (const entry of entries) {
    refuseName(entry.name, byName);
    if (entry.encrypted) throw new FileRefused("encrypted");
    byName.set(entry.name.toLowerCase(), entry);
  }
  const archive = { bytes: file, entries: byName, limits, admitted: new Set<Entry>(), admittedBytes: 0 };
  for (const entry of entries) if (/\.(?:xml|rels)$/i.test(entry.name)) admitPart(archive, entry);
  refuseOtherArchives(file, byName);
  refuseOverlap(entries);
  return archive;
}

/**
 * Counts a part as unpacked. Images, videos and embedded files are never read, so their size does not matter.
 * @throws FileRefused if it is larger than the limits, or all admitted parts together are
 */
export function admitPart(archive: Archive, entry: Entry): void {
  const { limits, admitted } = archive;
  if (admitted.has(entry)) return;
  refuseSizes(entry, limits);
  admitted.add(entry);
  archive.admittedBytes += entry.size;
  if (archive.admittedBytes > limits.maxUnpackedBytes) throw tooLargeUnpacked(limits.maxUnpackedBytes);
}

/** Old archivers separate folders with backslashes; Office reads them as slashes. */
const withSlashes = (entry: Entry): Entry => ({ ...entry, name: entry.name.replaceAll("\\", "/") });

function refuseName(name: string, seen: ReadonlyMap<string, Entry>): void {
  const unsafe = name === "" || /^\/|^[a-z]:|\0/i.test(name) || name.split("/").includes("..");
  if (unsafe) throw damaged("a part has an unsafe name");
  if (seen.has(name.toLowerCase())) throw damaged("a part appears twice");
}

function refuseSizes(entry: Entry, limits: Limits): void {
  if (entry.size > limits.maxPartBytes) throw tooLargeUnpacked(limits.maxPartBytes);
  const ratio = entry.size / Math.max(1, entry.packedSize);
  if (entry.size > 1024 * 1024 && ratio > limits.maxRatio) throw tooLargeUnpacked(limits.maxPartBytes);
  if (entry.method !== 0 && entry.method !== 8) throw damaged("a part is packed in an unknown way");
  if (entry.method === 0 && entry.size !== entry.packedSize) throw damaged("the size of a part is wrong");
}

function refuseOtherArchives(file: Buffer, entries: ReadonlyMap<string, Entry>): void {
  if (entries.has("xl/vbaproject.bin")) throw new FileRefused("macros");
  if (entries.has("xl/workbook.bin")) throw new FileRefused("binary_excel");
  if (entries.has("content.xml") && entries.has("mimetype")) {
    const mimetype = entries.get("mimetype");
    const text = mimetype
      ? file.toString("latin1", mimetype.dataStart, mimetype.dataStart + mimetype.packedSize)
      : "";
    if (text.includes("opendocument.spreadsheet")) throw new FileRefused("open_document");
  }
  if (entries.has("index/document.iwa")) throw new FileRefused("numbers_document");
  if (entries.has("word/document.xml")) throw notXlsx("a Word document");
  if (entries.has("ppt/presentation.xml")) throw notXlsx("a PowerPoint presentation");
  if (!entries.has("[content_types].xml")) throw notXlsx("an archive without a workbook");
}

/** Overlapping entries are how a small archive unpacks to a huge one; no real archiver creates them. */
function refuseOverlap(entries: readonly Entry[]): void {
  const inOrder = entries.toSorted((a, b) => a.headerStart - b.headerStart);
  let previousEnd = 0;
  for (const entry of inOrder) {
    if (entry.headerStart < previousEnd) throw damaged("parts overlap");
    previousEnd = entry.dataStart + entry.packedSize;
  }
}

/** First bytes of files, one character per byte, and their kinds. */
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

/**
 * Detects a file's kind by its first bytes: an archive, like workbooks, or another known kind; undefined for
 * others.
 */
export function detectFileKind(bytes: Uint8Array): (typeof SIGNATURES)[number][1] | undefined {
  const head = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  return SIGNATURES.find(([signature]) => head.startsWith(signature))?.[1];
}

/**
 * Refuses every file that is not a ZIP archive, naming its kind.
 * @throws FileRefused for empty files, old Excel, password protection, text, web pages, pictures and PDF
 */
export function refuseOtherKinds(bytes: Buffer): void {
  if (bytes.length === 0) throw new FileRefused("empty_file");
  const kind = detectFileKind(bytes);
  if (kind === "zip") return;
  throw kind === "compound" ? compoundFile(bytes) : notXlsx(kind ?? describeText(bytes));
}

/** Detects a Google Drive shortcut, a JSON object with an address in place of a sheet: ".gsheet". */
export function isGoogleShortcut(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, 2048)).toString("latin1").trim();
  return text.startsWith("{") && /"url"\s*:\s*"https:\/\/docs\.google\./.test(text);
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
  const text = new TextDecoder(detectEncoding(head)).decode(head);
  // Its element names are like those of a web page.
  if (text.includes("urn:schemas-microsoft-com:office:spreadsheet")) return "an Excel 2003 XML file";
  if (/<(!doctype html|html|table)\b/i.test(text)) return "a web page (HTML)";
  if (/^\s*</.test(text)) return "an XML file";
  if (/[\0-\x08\x0e-\x1f\uFFFD]/.test(text.slice(0, -4))) return "of an unknown kind";
  return /[,;\t|]/.test(text) ? "a CSV or text file" : "a text file";
}

function detectEncoding([first, second]: Buffer): string {
  if (second === 0 || (first === 0xff && second === 0xfe)) return "utf-16le";
  return first === 0 || (first === 0xfe && second === 0xff) ? "utf-16be" : "utf-8";
}
