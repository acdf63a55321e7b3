import { hasTest } from "./test-titles.mjs";

/** A requirement of a review. `proofs`: files of tests, each with the title that proves it, or null for all of the file. */
/** @typedef {{ document: string, topic: string, requirement: string, proofs: { file: string, title: string | null }[] }} Requirement */

const TEST_FILE = /`([\w./-]+\.test\.tsx?)`([^<`|]*(?:`[^`]*`[^<`|]*)*)/g;
/** A proof that isn't a test says so, with the reason. */
const NO_TEST = /^none: \w/;

/** Requirements of Intuit: one a row, with the tests in its last cell. @returns {Requirement[]} */
export function readReview(text) {
  return listRows(text).map(({ topic, cells }) => ({
    document: "docs/intuit-review.md",
    topic,
    requirement: cells[0],
    proofs: NO_TEST.test(cells.at(-1)) ? null : readProofs(cells.at(-1)),
  }));
}

const readProofs = (cell) =>
  cell
    .split("<br>")
    .flatMap((part) =>
      [...part.matchAll(TEST_FILE)].map(([, file, title]) => ({ file, title: title.trim() || null })),
    );

/** Requirements of ASVS that are met, each with the tests of its chapter in security.md. @returns {Requirement[]} */
export function readStandard(asvs, security) {
  const chapters = new Map(
    security.split(/^### /m).flatMap((section) => {
      const [heading = ""] = section.split("\n");
      const files = [...new Set([...section.matchAll(TEST_FILE)].map(([, file]) => file))];
      return [...heading.matchAll(/\bV(\d+)\b/g)].map(([, chapter]) => [chapter, files]);
    }),
  );
  const met = asvs.split("## Not met")[0];
  return listRows(met).flatMap(({ cells }) =>
    (cells[0].match(/\b\d+\.\d+\.\d+\b/g) ?? []).map((id) => ({
      document: "docs/asvs.md",
      topic: `ASVS V${id.split(".")[0]}`,
      requirement: `${id}: ${cells[1]}`,
      proofs: (chapters.get(id.split(".")[0]) ?? []).map((file) => ({ file, title: null })),
    })),
  );
}

/** Rows of the tables of a document, without their heads, under the last heading. */
function listRows(text) {
  let topic = "";
  return text.split("\n").flatMap((line, at, lines) => {
    if (line.startsWith("#")) topic = line.replace(/^#+ /, "");
    if (!line.startsWith("| ") || lines[at + 1]?.startsWith("|---")) return [];
    return [
      {
        topic,
        cells: line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      },
    ];
  });
}

/**
 * @param {readonly Requirement[]} requirements
 * @param {(file: string) => string | null} read the text of a file; null if there is none
 * @returns {string[]} findings: requirements without a test, and tests that are not there
 */
export function findMissing(requirements, read) {
  return requirements.flatMap(({ document, requirement, proofs }) => {
    if (proofs === null) return [];
    if (proofs.length === 0)
      return [`${document}: "${requirement}" names no test: name one, or write "none:" and the reason`];
    return proofs.flatMap(({ file, title }) => {
      const text = read(file);
      if (text === null) return [`${document}: "${requirement}" names ${file}, which is not there`];
      // To its end, so that a test that was renamed shows.
      if (title === null || ['"', "'", "`"].some((quote) => hasTest(text, title + quote))) return [];
      return [`${document}: "${requirement}" names the test "${title}", which ${file} doesn't have`];
    });
  });
}

/** The page of an evidence folder. */
export function writeIndex(requirements, { release, commit, date }) {
  const rows = requirements.map(
    ({ topic, requirement, proofs }) =>
      `| ${topic} | ${requirement} | ${
        proofs === null
          ? "no test, see the document"
          : proofs.map(({ file, title }) => `[${title ?? file}](tests/${file})`).join("<br>")
      } |`,
  );
  return [
    `# Evidence, ${release}`,
    "",
    `Commit ${commit}, ${date}. Each requirement with the tests that prove it; each test is in \`tests\`, and runs in the`,
    "repository with `npm test -- api FILE` (a file named `*.full.test.ts` too). `documents` has the reasons.",
    "",
    "| topic | requirement | tests |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
