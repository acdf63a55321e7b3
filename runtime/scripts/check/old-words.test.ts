import { expect, test } from "vitest";
import { checkOldWords } from "./old-words.mjs";

const findingsIn = (file: string, text = ""): string[] => checkOldWords([file], () => text);

const say = (found: string, replacement: string, line = 1) =>
  `src/x.ts:${line} says "${found}": say ${replacement}`;

test.each([
  ["src/x.ts", "/**\n * The fate of a row.\n */", 'src/x.ts:2 says "fate": say outcome'],
  ["src/x.ts", "const mendRow = 1;", 'src/x.ts:1 says "mend": say fix'],
  ["src/x.ts", 'f("It is.").wishFor(1);', 'src/x.ts:1 says "wish": say request, command or input'],
  ["src/x.ts", "const MAX_ANEW = 20;", 'src/x.ts:1 says "anew": say again'],
  ["src/x.ts", "const MOST_TRIES = 5;", 'src/x.ts:1 says "MOST_TRIES": say MAX_…'],
  ["bench/x.ts", "wait(LONGEST_MS);", 'bench/x.ts:1 says "LONGEST_MS": say MAX_…'],
  ["src/x.ts", "const LEAST_MS = 5;", 'src/x.ts:1 says "LEAST_MS": say MIN_…'],
  ["src/x.ts", "const people = [];", 'src/x.ts:1 says "const people": say users or e-mails'],
  ["src/web/hasty-pages.tsx", "", 'src/web/hasty-pages.tsx is called "hasty": say single attempt or hurried'],
  ["db/x.sql", "vain_rounds int, -- so many", 'db/x.sql:1 says "vain": say without result'],
  ["docs/x.md", "It goes on amid an upload.", 'docs/x.md:1 says "amid": say during'],
  ["src/x.ts", "// Each has its colour.", 'src/x.ts:1 says "colour": say color'],
  ["src/x.ts", "/** What a row holds. */", say("What", "the thing itself, beginning with a verb or a noun")],
  ["src/x.ts", "/** Of each row. */", say("Of", "the thing itself, beginning with a verb or a noun")],
  ["src/x.ts", "// Those of a row.", say("Those", "the thing itself, beginning with a verb or a noun")],
  ["src/x.ts", "\n// What a row holds.", say("What", "the thing itself, beginning with a verb or a noun", 2)],
  [
    "src/x.ts",
    "/**\n * What a row holds.\n */",
    say("What", "the thing itself, beginning with a verb or a noun", 2),
  ],
  ["src/x.ts", "// Nobody knows.", say("Nobody", "user, admin, caller, worker or no one")],
  ["src/x.ts", "return sumOf(rows);", say("sumOf", "a verb, or the noun itself")],
  ["src/web/mend-page.tsx", "", 'src/web/mend-page.tsx is called "mend": say fix'],
])("an old word in %s is reported with its replacement: %s", (file, text, finding) => {
  expect(findingsIn(file, text)).toEqual([finding]);
});

test.each([
  'test("nothing is mended", () => {',
  "test(`nothing is mended ${twice}`, async () => {",
  'test(\n  "nothing is mended",\n  async () => {',
  'test.each([1, 2])("nothing is mended %d", (n) => {',
  'test.each([\n  ["a", 1],\n] as const)(\n  "nothing is mended %s",',
  'test.skipIf(!isRoot)("nothing is mended", () => {',
])("a test title is checked: %j", (text) => {
  expect(findingsIn("src/x.test.ts", text)).toEqual([expect.stringContaining('says "mended"')]);
});

test.each([
  ["src/x.ts", 'say("Mend the columns.");'],
  ["src/x.ts", "const text = `You mend ${why}\nanew.`;"],
  ["src/x.ts", "if (/mend (amid|anew)/.test(text)) return;"],
  ["src/x.ts", "const url = `https://mend.example/`;"],
  ["src/x.test.ts", 'expect(page.text).toContain("Nobody mended it.");'],
  ["src/x.tsx", "return <p>Mend it.</p>;"],
  ["src/x.ts", "// Most of the people who wait the longest."],
  ["src/x.ts", "// Tells a person the whole story: one round trip each, with a spare one."],
  ["src/x.ts", '// The sentence "Nobody mended it." is the specification\'s.'],
  ["docs/x.md", 'The page says "Nobody mended it."'],
  ["src/x.ts", "// Says in a sentence\n// What is wrong."],
  ["src/x.ts", "/** Says what a row holds. What is not known is null. */"],
  ["src/x.ts", "rows.indexOf(z.instanceOf(Date).lastIndexOf(1)); const id = { uid: NOBODY };"],
  ["docs/glossary.md", "| outcome | fate |"],
])("texts that users see, quotations and the glossary are not checked: %s %j", (file, text) => {
  expect(findingsIn(file, text)).toEqual([]);
});
