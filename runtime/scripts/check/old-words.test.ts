import { expect, test } from "vitest";
import { checkOldWords } from "./old-words.mjs";

const findingsIn = (file: string, text = ""): string[] => checkOldWords([file], () => text);

test.each([
  ["src/x.ts", "// Nobody is told of it.", 'src/x.ts:1 says "told": say present, notify, report or say'],
  ["src/x.ts", "/**\n * The fate of a row.\n */", 'src/x.ts:2 says "fate": say outcome'],
  ["src/x.ts", "const tellUser = 1;", 'src/x.ts:1 says "tell": say present, notify, report or say'],
  ["src/x.ts", 'f("It is.").wishOf(1);', 'src/x.ts:1 says "wish": say request, command or input'],
  ["src/x.ts", "const MAX_ANEW = 20;", 'src/x.ts:1 says "anew": say again'],
  ["src/x.ts", "const MOST_TRIES = 5;", 'src/x.ts:1 says "MOST_TRIES": say MAX_…'],
  ["bench/x.ts", "wait(LONGEST_MS);", 'bench/x.ts:1 says "LONGEST_MS": say MAX_…'],
  ["src/x.ts", "const people = [];", 'src/x.ts:1 says "const people": say users or e-mails'],
  ["src/x.ts", "grouping.spare", 'src/x.ts:1 says "spare": say remaining capacity, extra or fallback'],
  [
    "test/support/patient-pages.ts",
    "",
    'test/support/patient-pages.ts is called "patient": say waits for the vendor, or name the time',
  ],
  ["db/x.sql", "vain_rounds int, -- so many", 'db/x.sql:1 says "vain": say without result'],
  ["docs/x.md", "It goes on amid an upload.", 'docs/x.md:1 says "amid": say during'],
  ["src/x.ts", "// Posted whole or not.", 'src/x.ts:1 says "whole": say complete, or integer for a number'],
  ["src/x.ts", "// Each has its colour.", 'src/x.ts:1 says "colour": say color'],
  ["src/web/mend-page.tsx", "", 'src/web/mend-page.tsx is called "mend": say fix'],
])("an old word in %s is reported with its replacement: %s", (file, text, finding) => {
  expect(findingsIn(file, text)).toEqual([finding]);
});

test.each([
  'test("nothing is told", () => {',
  "test(`nothing is told ${twice}`, async () => {",
  'test(\n  "nothing is told",\n  async () => {',
  'test.each([1, 2])("nothing is told %d", (n) => {',
  'test.each([\n  ["a", 1],\n] as const)(\n  "nothing is told %s",',
  'test.skipIf(!isRoot)("nothing is told", () => {',
])("the title of a test is read: %j", (text) => {
  expect(findingsIn("src/x.test.ts", text)).toEqual([expect.stringContaining('says "told"')]);
});

test.each([
  ["src/x.ts", 'say("Tell us what the columns mean.");'],
  ["src/x.ts", "const text = `You are told ${why}\nof the person.`;"],
  ["src/x.ts", "if (/told (amid|anew)/.test(text)) return;"],
  ["src/x.ts", "const url = `https://told.example/`;"],
  ["src/x.test.ts", 'expect(page.text).toContain("Nobody told us.");'],
  ["src/x.tsx", "return <p>Tell us.</p>;"],
  ["src/x.ts", "// Most of the people who wait the longest."],
  ["src/x.ts", "// One round trip each, for the whole file, which stands for all."],
  ["src/x.ts", '// The sentence "Nobody told us." is the specification\'s.'],
  ["docs/x.md", 'The page says "Nobody told us."'],
  ["docs/glossary.md", "| outcome | fate |"],
])("texts that users see, quotations and the glossary are not read: %s %j", (file, text) => {
  expect(findingsIn(file, text)).toEqual([]);
});
