import type { Archive } from "./guard.ts";
import { damaged, hasMacros, notXlsx } from "./refusals.ts";
import { unpackPart } from "./unpack-part.ts";
import { attributeText } from "./xml-text.ts";
import { nameCode } from "./name-code.ts";
import {
  nextAttribute,
  nextChild,
  nextTag,
  prefixedNameCode,
  scanXml,
  skipElement,
  type XmlScan,
} from "./xml-scan.ts";

export type SheetState = "visible" | "hidden" | "veryHidden";
export type SheetPart = { name: string; state: SheetState; part: string };
export type WorkbookParts = {
  sheets: SheetPart[];
  date1904: boolean;
  /** Names of parts; those of `sharedStrings`, `styles` and `calcChain` may be missing in the archive. */
  workbook: string;
  links: string;
  sharedStrings: string;
  styles: string;
  calcChain: string;
};

const RELATIONSHIP = nameCode("Relationship");
const SHEETS = nameCode("sheets");
const SHEET = nameCode("sheet");
const WORKBOOK_PR = nameCode("workbookPr");

/**
 * Follows the relationships from the archive's root to the sheets, wherever the writer has put them.
 * @throws FileRefused when the archive has no workbook
 */
export function findParts(archive: Archive): WorkbookParts {
  refuseMacroSheets(archive);
  const root = readRelationships(archive, "_rels/.rels", "");
  const workbook = root.find((link) => link.type === "officeDocument")?.target ?? "xl/workbook.xml";
  const bytes = unpackPart(archive, workbook);
  if (!bytes) throw notXlsx("an archive without a workbook");
  const slash = workbook.lastIndexOf("/") + 1;
  const folder = workbook.slice(0, slash);
  const linksName = `${folder}_rels/${workbook.slice(slash)}.rels`;
  const links = readRelationships(archive, linksName, folder);
  const parts = readWorkbookPart(scanXml(bytes, workbook), links);
  const partOf = (type: string) => links.find((link) => link.type === type)?.target ?? `${folder}${type}.xml`;
  return {
    ...parts,
    workbook,
    links: linksName,
    sharedStrings: partOf("sharedStrings"),
    styles: partOf("styles"),
    calcChain: partOf("calcChain"),
  };
}

/** Macros of Excel 4 are on sheets of their own, which only the list of content types shows for certain. */
function refuseMacroSheets(archive: Archive): void {
  const types = unpackPart(archive, "[Content_Types].xml");
  if (types?.includes("macrosheet+xml")) throw hasMacros();
}

export type Link = { id: string; type: string; target: string };

/**
 * The links of a relationships part to other parts; none when there is no such part. Types differ between the strict
 * and the usual flavour in their address only, so their last segment is given.
 */
export function readRelationships(archive: Archive, name: string, folder: string): Link[] {
  const bytes = unpackPart(archive, name);
  if (!bytes) return [];
  const links: Link[] = [];
  const scan = scanXml(bytes, name);
  nextTag(scan);
  while (nextChild(scan)) {
    const isLink = scan.name === RELATIONSHIP;
    const values = readAttributes(scan);
    skipElement(scan);
    if (!isLink || values.get(nameCode("TargetMode")) === "External") continue;
    links.push({
      id: values.get(nameCode("Id")) ?? "",
      type: (values.get(nameCode("Type")) ?? "").split("/").at(-1) ?? "",
      target: resolveTarget(folder, values.get(nameCode("Target")) ?? ""),
    });
  }
  return links;
}

function readWorkbookPart(scan: XmlScan, links: readonly Link[]): { sheets: SheetPart[]; date1904: boolean } {
  const sheets: SheetPart[] = [];
  let date1904 = false;
  nextTag(scan);
  while (nextChild(scan)) {
    if (scan.name === SHEETS) readSheetList(scan, { links, sheets });
    else {
      if (scan.name === WORKBOOK_PR)
        date1904 = ["1", "true"].includes(readAttributes(scan).get(nameCode("date1904")) ?? "");
      skipElement(scan);
    }
  }
  return { sheets, date1904 };
}

function readSheetList(scan: XmlScan, { links, sheets }: { links: readonly Link[]; sheets: SheetPart[] }) {
  while (nextChild(scan)) {
    const isSheet = scan.name === SHEET;
    const values = readAttributes(scan);
    skipElement(scan);
    if (!isSheet) continue;
    const link = links.find((each) => each.id === values.get(prefixedNameCode("id")));
    if (link?.type !== "worksheet") continue;
    refuseListedTwice(sheets, link.target.toLowerCase());
    const state = values.get(nameCode("state"));
    sheets.push({
      name: values.get(nameCode("name")) ?? "",
      state: state === "hidden" || state === "veryHidden" ? state : "visible",
      part: link.target.toLowerCase(),
    });
  }
}

/** One part listed as many sheets would be read as many times. */
function refuseListedTwice(sheets: readonly SheetPart[], part: string): void {
  if (sheets.some((sheet) => sheet.part === part)) throw damaged("a sheet is listed twice");
}

function readAttributes(scan: XmlScan): Map<number, string> {
  const values = new Map<number, string>();
  while (nextAttribute(scan)) values.set(scan.attribute, attributeText(scan));
  return values;
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
