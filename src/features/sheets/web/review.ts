export { CorrectedCells, LeftOut } from "#features/sheets/web/review-changes.tsx";
export {
  FindLink,
  LeaveOutButton,
  RECORDS,
  ReviewRow,
  ReviewRows,
} from "#features/sheets/web/review-rows.tsx";
export { type CellInput, WrongCells, type FixedCell } from "#features/sheets/web/wrong-cells.tsx";
