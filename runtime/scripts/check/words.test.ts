import { expect, test } from "vitest";
import { checkWords } from "./words.mjs";

const TIMES = [
  'const day = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });',
  "<td>{new Date(at).toLocaleString()}</td>",
  "<td>{at.toLocaleTimeString()}</td>",
  "const shown = at.toTimeString();",
];

test.each(TIMES)("a page can't bypass the kit's time formatting, which names the zone: %s", (line) => {
  for (const file of ["src/features/x/web/page.tsx", "src/web/x/words.ts", "src/web/kit/day-bars.tsx"])
    expect(checkWords([file], () => line)).toEqual([
      `${file}:1 bypasses the kit's time formatting, which names the zone`,
    ]);
  for (const file of [
    "src/web/kit/format.ts",
    "src/features/x/write-times.ts",
    "src/features/x/web/x.test.ts",
  ])
    expect(checkWords([file], () => line)).toEqual([]);
});
