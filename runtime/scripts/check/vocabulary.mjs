import { textOf } from "./files.mjs";

/** What an operation may begin with; a new word is added here when none of these says it. */
const VERBS = `
  accept activate add adopt authorize build cancel change check choose claim close complete confirm connect count create deliver
  disconnect download enqueue ensure export extract find finish forget hold import inspect invite join leave list load mark match move
  name note open order pick plan post prepare print read receive record refresh release remember remove rename render renew replace
  report request reset resolve resume retry revoke run save schedule seal search send settle share show sign start stop store
  stream summarize switch sync take undo unlock update upload upsert use verify void wait watch withdraw write
`
  .trim()
  .split(/\s+/);

const FIXED =
  /^(contract|routes|ctx|limits|errors|sentences|rules|store|tables|jobs|handlers|reading|index)\.ts$/;
const BY_NOUN = /^(rules|sentences|store|tables)-[a-z0-9-]+\.ts$/;
/** In a folder of rules each file is named by its noun alone. */
const RULE = /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/;
const OPERATION = /^([a-z]+)(-[a-z0-9]+)+\.ts$/;
const PAGE_FILE = /^[a-z0-9]+(-[a-z0-9]+)*\.(ts|tsx|css)$/;
const MAX_INDEX_LINES = 20;

/** A feature's folder holds the files of the closed list, and no others. */
export function checkVocabulary(files) {
  return files
    .filter((file) => file.startsWith("src/features/"))
    .flatMap((file) => judge(file, files).map((fault) => `${file} ${fault}`));
}

function judge(file, files) {
  const [feature, ...rest] = file.split("/").slice(2);
  const name = rest.at(-1) ?? feature;
  if (rest.length === 0) return ["is outside a feature's folder"];
  if (/\.test\.tsx?$/.test(name)) return judgeTest(file, files, feature);
  if (rest.includes("fixtures")) return [];
  if (rest.includes("web")) return PAGE_FILE.test(name) ? [] : ["is not a kebab-case .ts, .tsx or .css file"];
  if (name === "index.ts") return judgeIndex(file, rest);
  if (rest.includes("rules")) return RULE.test(name) ? [] : ["is not a kebab-case .ts file"];
  return FIXED.test(name) || BY_NOUN.test(name) ? [] : judgeOperation(name);
}

function judgeOperation(name) {
  const verb = OPERATION.exec(name)?.[1];
  if (!verb)
    return [
      "is no file of the vocabulary: contract, routes, ctx, limits, errors, sentences, rules, store, tables, jobs, handlers, index, web/ or <verb>-<noun>.ts",
    ];
  return VERBS.includes(verb) ? [] : [`begins with "${verb}", which is not in the list of verbs`];
}

/** A test is beside the file it tests, or is named after its folder or its feature. */
function judgeTest(file, files, feature) {
  const tested = file.replace(/\.test(\.tsx?)$/, "$1");
  if (files.includes(tested) || files.includes(tested.replace(/x?$/, "x"))) return [];
  const [folder, name] = file.split("/").slice(-2);
  if ([feature, folder].some((word) => name.startsWith(`${word}.`) || name.startsWith(`${word}-`))) return [];
  return [`tests no file beside it and is not called ${feature}.test.ts`];
}

function judgeIndex(file, rest) {
  if (rest.length > 1) return ["is a second index: only a feature has one"];
  const lines = textOf(file).trimEnd().split("\n").length;
  return lines <= MAX_INDEX_LINES ? [] : [`has ${lines} lines: a feature shows at most ${MAX_INDEX_LINES}`];
}
