export type { Remembered } from "#features/sheets/web/queries.ts";
export { RememberedAnswers, RememberedTable } from "#features/sheets/web/remembered-answers.tsx";
