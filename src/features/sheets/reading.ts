export { extractRows, type ProblemRows } from "#features/sheets/extract-rows.ts";
export { inspectColumns, type SeenSheet, type ToSee } from "#features/sheets/inspect-columns.ts";
export { inspectSheet, type Inspection, type ToInspect } from "#features/sheets/inspect-sheet.ts";
export { isTextName, openFile } from "#features/sheets/open-file.ts";
export {
  collectProblems,
  groupProblems,
  type ProblemFacts,
  toProblemGroup,
} from "#features/sheets/rules-causes.ts";
export { remarkOnTemplate, type OfferedList, type OwnTemplate } from "#features/sheets/rules-template.ts";
export { refusalSentence } from "#features/sheets/sentences-refusals.ts";
export {
  awayFrom,
  BESIDE_FILE,
  characterName,
  plainCure,
  problemSentence,
  unknownSentence,
  type Wording,
  withPlace,
} from "#features/sheets/sentences.ts";
export { plainTemplate, writeTemplate } from "#features/sheets/write-template.ts";
