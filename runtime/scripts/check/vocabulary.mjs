import { readText } from "./files.mjs";

const FILE = /^[a-z0-9]+(-[a-z0-9]+)*\.(ts|tsx|css)$/;
/** Names that say nothing about a file's content. */
const DRAWER = /^(utils?|helpers?|misc|common)(-|\.)|-(utils?|helpers?)\./;
const MAX_INDEX_LINES = 20;

/**
 * Checks that a feature's files are kebab-case and named after their content, and that only the feature has
 * an index, a short one. ARCHITECTURE.md lists the usual names as advice.
 */
export function checkVocabulary(files) {
  return files
    .filter((file) => file.startsWith("src/features/"))
    .flatMap((file) => checkFile(file, files).map((fault) => `${file} ${fault}`));
}

function checkFile(file, files) {
  const [feature, ...rest] = file.split("/").slice(2);
  const name = rest.at(-1) ?? feature;
  if (rest.length === 0) return ["is outside a feature's folder"];
  if (/\.test\.tsx?$/.test(name)) return checkTest(file, files, feature);
  if (rest.includes("fixtures")) return [];
  if (!FILE.test(name)) return ["is not a kebab-case .ts, .tsx or .css file"];
  if (DRAWER.test(name)) return ["is a drawer: name it after what it holds"];
  return name === "index.ts" && !rest.includes("web") ? checkIndex(file, rest) : [];
}

/** Checks that a test is beside the file it tests, or is named after its folder or feature. */
function checkTest(file, files, feature) {
  const tested = file.replace(/\.test(\.tsx?)$/, "$1");
  if (files.includes(tested) || files.includes(tested.replace(/x?$/, "x"))) return [];
  const [folder, name] = file.split("/").slice(-2);
  if ([feature, folder].some((word) => name.startsWith(`${word}.`) || name.startsWith(`${word}-`))) return [];
  return [`tests no file beside it and is not called ${feature}.test.ts`];
}

function checkIndex(file, rest) {
  if (rest.length > 1) return ["is a second index: only a feature has one"];
  const lines = readText(file).trimEnd().split("\n").length;
  return lines <= MAX_INDEX_LINES ? [] : [`has ${lines} lines: a feature shows at most ${MAX_INDEX_LINES}`];
}
