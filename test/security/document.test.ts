import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Number of the last requirement of levels 1 and 2 in each section of ASVS 5.0.0; in no section do higher levels come first. */
const SECTIONS: Readonly<Record<string, number>> = {
  1.1: 2,
  1.2: 9,
  1.3: 11,
  1.4: 3,
  1.5: 2,
  2.1: 3,
  2.2: 3,
  2.3: 4,
  2.4: 1,
  3.2: 2,
  3.3: 4,
  3.4: 6,
  3.5: 5,
  3.7: 2,
  4.1: 3,
  4.2: 1,
  4.3: 2,
  4.4: 4,
  5.1: 1,
  5.2: 3,
  5.3: 2,
  5.4: 3,
  6.1: 3,
  6.2: 12,
  6.3: 4,
  6.4: 4,
  6.5: 5,
  6.6: 3,
  6.8: 4,
  7.1: 3,
  7.2: 4,
  7.3: 2,
  7.4: 5,
  7.5: 2,
  7.6: 2,
  8.1: 2,
  8.2: 3,
  8.3: 1,
  8.4: 1,
  9.1: 3,
  9.2: 4,
  "10.1": 2,
  10.2: 2,
  10.3: 4,
  10.4: 11,
  10.5: 5,
  10.6: 2,
  10.7: 3,
  11.1: 2,
  11.2: 3,
  11.3: 3,
  11.4: 4,
  11.5: 1,
  11.6: 1,
  12.1: 3,
  12.2: 2,
  12.3: 4,
  13.1: 1,
  13.2: 5,
  13.3: 2,
  13.4: 5,
  14.1: 2,
  14.2: 4,
  14.3: 3,
  15.1: 3,
  15.2: 3,
  15.3: 7,
  16.1: 1,
  16.2: 5,
  16.3: 4,
  16.4: 3,
  16.5: 3,
  17.1: 1,
  17.2: 4,
  17.3: 2,
};

test("each requirement of ASVS 5.0, levels 1 and 2, has one answer in the document", () => {
  const wanted = Object.entries(SECTIONS).flatMap(([section, last]) =>
    Array.from({ length: last }, (_, at) => `${section}.${at + 1}`),
  );
  const rows = read("docs/asvs.md")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|")[1] ?? "");
  const answered = rows.flatMap((row) => row.match(/\b\d+\.\d+\.\d+\b/g) ?? []);
  expect(answered.toSorted()).toEqual(wanted.toSorted());
});

test("every source that works with a key is in the table of keys", () => {
  const document = read("docs/security.md");
  const keyed = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!test)\.tsx?$/.test(file))
    .map((file) => `src/${file}`)
    .filter((file) =>
      /\b(createHmac|createCipheriv|createSign|createVerify|hkdfSync|timingSafeEqual|AwsV4Signer)\(/.test(
        read(file),
      ),
    );
  expect(keyed.length).toBeGreaterThan(5);
  expect(keyed.filter((file) => !document.includes(`\`${file}\``))).toEqual([]);
});
