import { columnName } from "../cell-names.ts";
import { CannotMove, moveRanges, moveRuleFormula, newRow, type RowMoves } from "./row-moves.ts";
import { escapeMarkup, plainFormula, prefixOf, valueIn, withValue } from "./xml-tags.ts";

/** Elements behind the rows that either hold no rows or whose rows are understood here. */
const UNDERSTOOD = new Set(
  `sheetCalcPr sheetProtection mergeCells mergeCell phoneticPr conditionalFormatting cfRule formula colorScale dataBar
  iconSet cfvo color dataValidations dataValidation formula1 formula2 hyperlinks hyperlink printOptions pageMargins
  pageSetup headerFooter oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter ignoredErrors ignoredError
  legacyDrawing`.split(/\s+/),
);

const RULES = new Set(["formula", "formula1", "formula2"]);

/** A start tag, in it its name, and the text behind it. */
const TAG = /(<([^\s/<>]+)(?:"[^"<]*"|'[^'<]*'|[^"'<>])*>)([^<]*)/g;

/**
 * What is behind the rows, after some of them are gone.
 * @param prefix of the sheet's elements
 * @throws CannotMove when something there is tied to a removed row, or is not known to be free of rows
 */
export function moveTail(tail: string, prefix: string, moves: RowMoves): string {
  if (/<[!?]/.test(tail)) throw new CannotMove("the sheet has parts that are not understood");
  let by = 0;
  return tail.replace(TAG, (...[, tag = "", name = "", text = ""]: string[]) => {
    const known = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    if (!UNDERSTOOD.has(known)) throw new CannotMove("the sheet has parts that are not understood");
    let moved = tag;
    for (const attribute of ["ref", "sqref"]) {
      const range = valueIn(tag, attribute);
      if (range === undefined) continue;
      const changed = moveRanges(moves, range);
      if (attribute === "sqref") by = changed.by;
      else refuseCut(range, changed.ranges);
      moved = withValue(moved, attribute, changed.ranges);
    }
    return moved + (RULES.has(known) ? moveRule(moves, text, by) : text);
  });
}

/** A merge that loses a row would become another merge, or none. */
function refuseCut(before: string, after: string): void {
  if (heightOf(before) !== heightOf(after)) throw new CannotMove("a merged range crosses a removed row");
}

function heightOf(range: string): number {
  const [first = 0, last = first] = (range.match(/\d+/g) ?? []).map(Number);
  return last - first;
}

function moveRule(moves: RowMoves, xml: string, by: number): string {
  const plain = plainFormula(xml);
  if (plain === undefined) throw new CannotMove("a rule cannot be read");
  const moved = moveRuleFormula(moves, plain, by);
  return moved === plain ? xml : escapeMarkup(moved);
}

/**
 * The part in front of the rows: where the cursor is in moved rows, nothing else depends on them. A removed row's place
 * is taken by the next one that stays: a pane below frozen rows must not begin among them.
 */
export function moveViews(head: string, moves: RowMoves): string {
  return head.replaceAll(/\s(?:activeCell|topLeftCell|sqref)\s*=\s*["'][^"']*/g, (view) =>
    view.replaceAll(/\d+/g, (row) => String(newRow(moves, Number(row) - 1) + 1)),
  );
}

/** States the sheet's extent, which readers may rely on. */
export function setDimension(head: string, last: { column: number; row: number }): string {
  const tag = new RegExp(`<${prefixOf(head)}dimension\\b[^>]*>`);
  return head.replace(tag, (xml) => withValue(xml, "ref", `A1:${columnName(last.column)}${last.row}`));
}

/** Gives a column its width, in characters, and keeps those of the others. */
export function setColumnWidth(head: string, column: number, width: number): string {
  const prefix = prefixOf(head);
  const number = column + 1;
  const own = `<${prefix}col min="${number}" max="${number}" width="${width}" customWidth="1"/>`;
  const [before, inner = ""] =
    new RegExp(`<${prefix}cols\\s*>([\\s\\S]*?)</${prefix}cols\\s*>`).exec(head) ?? [];
  const others = inner.match(new RegExp(`<${prefix}col\\b[^>]*>`, "g")) ?? [];
  const all = [...others.flatMap((tag) => withoutColumn(tag, number)), own].toSorted(
    (a, b) => Number(valueIn(a, "min")) - Number(valueIn(b, "min")),
  );
  const cols = `<${prefix}cols>${all.join("")}</${prefix}cols>`;
  if (before !== undefined) return head.replace(before, () => cols);
  return head.replace(new RegExp(`<${prefix}sheetData\\b`), (tag) => cols + tag);
}

/** A `<col>` without the given column: it may describe a whole range of them. */
function withoutColumn(tag: string, number: number): string[] {
  const closed = tag.replace(/\s*\/?>$/, "/>");
  const [min, max] = [Number(valueIn(tag, "min")), Number(valueIn(tag, "max"))];
  if (!(number >= min && number <= max)) return [closed];
  const piece = (from: number, to: number) =>
    from > to ? [] : [withValue(withValue(closed, "min", String(from)), "max", String(to))];
  return [...piece(min, number - 1), ...piece(number + 1, max)];
}
