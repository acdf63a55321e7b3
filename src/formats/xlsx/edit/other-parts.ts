import type { Archive } from "../guard.ts";
import { unpackPart } from "../unpack-part.ts";
import { readRelationships } from "../workbook-parts.ts";
import { CannotMove, moveFormula, type RowMoves } from "./row-moves.ts";
import { escapeMarkup, partText, plainFormula } from "./xml-tags.ts";

/** What may hang on a sheet without knowing its rows; notes are looked into. */
const FREE_OF_ROWS: ReadonlySet<string> = new Set(["printerSettings", "hyperlink", "comments", "vmlDrawing"]);

/** Parts that never name a sheet's cells. */
const WITHOUT_REFERENCES =
  /^(\[content_types\]\.xml|docprops\/|_rels\/|.*\/_rels\/|xl\/(theme\/|styles\.xml|sharedstrings\.xml|calcchain\.xml))/;

/** @throws CannotMove when another part of the workbook knows rows of the sheet that would move */
export function refuseKnownRows(
  archive: Archive,
  sheet: { part: string; workbook: string },
  moves: RowMoves,
): void {
  const slash = sheet.part.lastIndexOf("/") + 1;
  const folder = sheet.part.slice(0, slash);
  for (const link of readRelationships(archive, `${folder}_rels/${sheet.part.slice(slash)}.rels`, folder)) {
    if (!FREE_OF_ROWS.has(link.type)) throw new CannotMove(`the sheet has a ${link.type}`);
    if (link.type === "comments") refuseNotes(textOf(archive, link.target), moves);
  }
  for (const name of archive.entries.keys()) {
    if (name === sheet.part || WITHOUT_REFERENCES.test(name) || !name.endsWith(".xml")) continue;
    if (name === sheet.workbook.toLowerCase()) refuseNames(textOf(archive, name), moves);
    else if (namesSheet(textOf(archive, name), moves.sheet))
      throw new CannotMove(`${name} refers to the sheet`);
  }
}

const textOf = (archive: Archive, name: string) => partText(unpackPart(archive, name) ?? Buffer.alloc(0));

function refuseNotes(comments: string, moves: RowMoves): void {
  for (const [, row] of comments.matchAll(/<(?:[\w.-]+:)?comment\b[^>]*?\bref\s*=\s*["'][A-Za-z]+(\d+)/g)) {
    if (Number(row) >= moves.firstRemoved) throw new CannotMove("a row that moves has a note");
  }
}

/** Names of the workbook may name rows that stay where they are, such as the header row to print on each page. */
function refuseNames(workbook: string, moves: RowMoves): void {
  for (const [, xml = ""] of workbook.matchAll(/<(?:[\w.-]+:)?definedName\b[^>]*>([^<]*)</g)) {
    const plain = plainFormula(xml);
    if (plain === undefined || moveFormula(moves, plain) !== plain)
      throw new CannotMove("a name refers to the sheet");
  }
}

function namesSheet(xml: string, sheet: string): boolean {
  const name = escapeMarkup(sheet).toLowerCase();
  const text = xml.toLowerCase();
  const spellings = [name, name.replaceAll("'", "''"), name.replaceAll("'", "&apos;&apos;")];
  return spellings.some(
    (each) =>
      text.includes(`${each}!`) ||
      text.includes(`${each}'!`) ||
      text.includes(`${each}&apos;!`) ||
      text.includes(`sheet="${each.replaceAll('"', "&quot;")}"`),
  );
}
