export { extractRows, type ProblemRows } from "#features/sheets/extract-rows.ts";
export {
  collectProblems,
  groupProblems,
  type ProblemFacts,
  toProblemGroup,
} from "#features/sheets/group-problems.ts";
export {
  inspectColumns,
  inspectSheet,
  type ColumnsInput,
  type InspectInput,
  type Inspection,
  type InspectedSheet,
} from "#features/sheets/inspect-file.ts";
export { isTextName, openFile } from "#features/sheets/open-file.ts";
export { refusalSentence } from "#features/sheets/sentences-refusals.ts";
export {
  awayFrom,
  BESIDE_FILE,
  besideFile,
  type Place,
  characterName,
  plainFix,
  problemSentence,
  unknownSentence,
  type Wording,
  withPlace,
} from "#features/sheets/sentences.ts";
export { toWrongCell } from "#features/sheets/wrong-cell.ts";
export {
  plainTemplate,
  warnOldTemplate,
  writeTemplate,
  type OfferedList,
  type OwnTemplate,
} from "#features/sheets/write-template.ts";
