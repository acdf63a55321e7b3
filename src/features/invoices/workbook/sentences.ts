import type { Problem } from "#formats/table/problem.ts";
import { textParam } from "#formats/facts.ts";
import { cleanText } from "#formats/table/texts.ts";
import { quote } from "#formats/text/phrases.ts";
import { characterName, plainCure, problemSentence, type Wording } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/** What is said of a problem that the reader of invoices found, without its place. */
export function readingSentence(problem: Problem, wording?: Wording): string {
  if (problem.code === "number_not_searchable") return notSearchable(problem);
  return problemSentence(invoiceSheet, problem, wording);
}

function notSearchable({ value, params }: Problem): string {
  const character = textParam(params, "character");
  const [named, cure] =
    character === "\\"
      ? ["a backslash (\\)", "Use another character."]
      : character === "\n"
        ? ["a line break", "Write it on one line."]
        : [`the character ${characterName(character)}`, plainCure(character, "Use another character.")];
  return `${invoiceSheet.fields.invoiceNo.header} ${quote(cleanText(value))} has ${named}, and QuickBooks cannot be asked whether it has such a number already. ${cure}`;
}
