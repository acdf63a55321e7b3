import type { Archive } from "./guard.ts";
import { FileRefused } from "../facts.ts";
import { damaged, notXlsx } from "./refusals.ts";
import { unpackPart } from "./unpack-part.ts";
import { nameCode } from "./xml-namespaces.ts";
import { eachChild, isTrue, readAttributes, readText } from "./xml-text.ts";
import { nextChild, nextTag, scanXml, skipElement, type XmlScan } from "./xml-scan.ts";

export type SheetState = "visible" | "hidden" | "veryHidden";
export type SheetPart = { name: string; state: SheetState; part: string };
export type WorkbookParts = {
  sheets: SheetPart[];
  date1904: boolean;
  /** Defined names of the workbook and their formulas, as stored: `Lists!$A$2:$A$9`, `"a text"`. */
  names: Map<string, string>;
  /** Names of parts, which may be missing in the archive. */
  sharedStrings: string;
  styles: string;
};

const RELATIONSHIP = nameCode("Relationship");
const SHEETS = nameCode("sheets");
const SHEET = nameCode("sheet");
const WORKBOOK_PR = nameCode("workbookPr");
const DEFINED_NAMES = nameCode("definedNames");
const DEFINED_NAME = nameCode("definedName");
const MAX_NAMES = 1000;

/**
 * Follows the relationships from the archive's root to the sheets, wherever the writer has put them.
 * @throws FileRefused if the archive has no workbook
 */
export function findParts(archive: Archive): WorkbookParts {
  refuseMacroSheets(archive);
  const root = readRelationships(archive, "_rels/.rels", "");
  const workbook = root.find((link) => link.type === "officeDocument")?.target ?? "xl/workbook.xml";
  const bytes = unpackPart(archive, workbook);
  if (!bytes) throw notXlsx("an archive without a workbook");
  const slash = workbook.lastIndexOf("/") + 1;
  const folder = workbook.slice(0, slash);
  const links = readRelationships(archive, `${folder}_rels/${workbook.slice(slash)}.rels`, folder);
  const findPart = (type: string) =>
    links.find((link) => link.type === type)?.target ?? `${folder}${type}.xml`;
  return {
    ...readWorkbookPart(scanXml(bytes, workbook), links),
    sharedStrings: findPart("sharedStrings"),
    styles: findPart("styles"),
  };
}

/**
 * Refuses Excel 4 macros: they are on separate sheets, which only the list of content types identifies
 * reliably.
 */
function refuseMacroSheets(archive: Archive): void {
  const types = unpackPart(archive, "[Content_Types].xml");
  if (types?.includes("macrosheet+xml")) throw new FileRefused("macros");
}

type Link = { id: string; type: string; target: string };

/**
 * Reads the links of a relationships part to other parts; empty if there is no such part. The types of the
 * strict and transitional formats differ only in their address, so only the last segment is returned.
 */
function readRelationships(archive: Archive, name: string, folder: string): Link[] {
  const bytes = unpackPart(archive, name);
  if (!bytes) return [];
  const links: Link[] = [];
  const scan = scanXml(bytes, name);
  nextTag(scan);
  eachChild(scan, RELATIONSHIP, (link) => {
    if (link.get("TargetMode") === "External") return;
    const type = (link.get("Type") ?? "").split("/").at(-1) ?? "";
    links.push({ id: link.get("Id") ?? "", type, target: resolveTarget(folder, link.get("Target") ?? "") });
  });
  return links;
}

type WorkbookPart = Pick<WorkbookParts, "sheets" | "date1904" | "names">;

function readWorkbookPart(scan: XmlScan, links: readonly Link[]): WorkbookPart {
  const part: WorkbookPart = { sheets: [], date1904: false, names: new Map() };
  nextTag(scan);
  while (nextChild(scan)) {
    if (scan.name === SHEETS) readSheetList(scan, { links, sheets: part.sheets });
    else if (scan.name === DEFINED_NAMES) readNameList(scan, part.names);
    else {
      if (scan.name === WORKBOOK_PR) part.date1904 = isTrue(readAttributes(scan).get("date1904"));
      skipElement(scan);
    }
  }
  return part;
}

function readNameList(scan: XmlScan, names: Map<string, string>): void {
  while (nextChild(scan)) {
    if (scan.name === DEFINED_NAME && names.size < MAX_NAMES) {
      const name = readAttributes(scan).get("name") ?? "";
      names.set(name, readText(scan));
    } else skipElement(scan);
  }
}

function readSheetList(scan: XmlScan, { links, sheets }: { links: readonly Link[]; sheets: SheetPart[] }) {
  eachChild(scan, SHEET, (sheet) => {
    const link = links.find((each) => each.id === sheet.get(":id"));
    if (link?.type !== "worksheet") return;
    const part = link.target.toLowerCase();
    // One part listed as many sheets would be read that many times.
    if (sheets.some((other) => other.part === part)) throw damaged("a sheet is listed twice");
    const written = sheet.get("state");
    const state = written === "hidden" || written === "veryHidden" ? written : "visible";
    sheets.push({ name: sheet.get("name") ?? "", state, part });
  });
}

function resolveTarget(folder: string, written: string): string {
  const target = written.replaceAll("\\", "/");
  if (target.startsWith("/")) return target.slice(1);
  const path: string[] = [];
  for (const segment of `${folder}${target}`.split("/")) {
    if (segment === "..") path.pop();
    else if (segment !== ".") path.push(segment);
  }
  return path.join("/");
}
