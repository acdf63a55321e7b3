import { expect, test } from "vitest";
import { checkScreenWords } from "./screen-words.mjs";

const findingsIn = (file: string, text: string): string[] => checkScreenWords([file], () => text);

test.each([
  ["src/web/x/words.ts", 'a: "The file cannot be read."', "can't"],
  ["src/features/x/sentences-y.ts", "const a = `Row ${n} is not known.`;", "the contraction"],
  ["src/features/x/web/words.ts", '\n  mail: "Your e-mail"', "email"],
  ["src/features/x/sentences.ts", '"Save the workbook."', "spreadsheet or file"],
  ["src/features/x/sentences.ts", '"A comma is not taken."', "what works or doesn't, in the active voice"],
  ["src/features/x/sentences.ts", '"The row has to be fixed."', "needs, or the imperative"],
  ["src/features/x/web/words.ts", '"Tell us what the columns mean"', "Match, or Choose"],
  ["src/features/x/web/words.ts", '"It comes with a later version."', "Coming soon"],
  ["src/features/x/web/words.ts", '"See its rows"', "View details"],
  ["src/features/x/web/words.ts", '"Scan each bar code"', "barcode"],
  ["src/features/x/web/words-rare.ts", '"Say which values are billed"', "Match, or Choose"],
  ["src/features/x/web/folder-words.ts", '"Orders aren’t fetched."', "a straight apostrophe"],
  ["src/features/x/web/words.ts", "`No results for “${search}”.`", "straight quotation marks"],
  ["src/features/x/errors.ts", 'detail: "It isn\'t offered any more."', "anymore"],
  ["src/features/x/sentences.ts", '"Shipping is switched off."', "turned on or off"],
  ["src/features/x/sentences.ts", "`Uploaded on 2026-11-22.`", "dates as readers write them: 1/31/2026"],
  ["src/features/x/errors.ts", 'detail: "QuickBooks did not answer."', "the contraction"],
  ["src/features/x/read-x.ts", 'throw notFound("Check the workbook again.");', "spreadsheet or file"],
  ["src/features/x/read-x.ts", 'conflict(\n  "gone",\n  `${name} is not there.`,\n);', "the contraction"],
])("a screen must not show these words again: %s %j", (file, text, say) => {
  expect(findingsIn(file, text)).toContainEqual(
    expect.stringMatching(new RegExp(`^${file}:\\d+ shows .*write ${say.replace(/[/]/g, ".")}$`)),
  );
});

test.each([
  ["src/web/kit/words.ts", 'text: "We were not able to load this page."'],
  ["src/features/x/sentences.ts", '"Choose File > Save As > Excel Workbook (*.xlsx)."'],
  ["src/features/x/sentences.ts", "// A cell that is not a date.\nconst a = 1;"],
  ["src/features/x/sentences.ts", 'import { x } from "#features/x/workbook/x.ts";'],
  ["src/features/x/rules.ts", 'throw new Error("This cannot be.");'],
  ["src/features/x/errors.test.ts", 'detail: "It is not there."'],
])("verbatim texts, comments and other code are not checked: %s %j", (file, text) => {
  expect(findingsIn(file, text)).toEqual([]);
});
