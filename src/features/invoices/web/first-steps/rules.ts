import type { UploadSummary } from "#features/invoices/contract.ts";

export type StepName = "connect" | "mistakes" | "correct" | "books";
export type StepStates = Record<StepName, boolean>;

type Facts = { hasCompany: boolean; uploads: readonly UploadSummary[]; sawBooks: boolean };

/**
 * Derives the finished first steps from the data that exists.
 * @param uploads the newest first
 */
export function stepStates({ hasCompany, uploads, sawBooks }: Facts): StepStates {
  const firstWrong = uploads.findLastIndex(({ counts }) => counts.problems > 0);
  const wrongNames = uploads.flatMap(({ counts, filename }) =>
    counts.problems > 0 ? [filename.replace(/\.[^.]*$/, "")] : [],
  );
  // A file with the rest is named after the first one, whether it was fixed on the page or in a spreadsheet.
  const correct = uploads
    .slice(0, Math.max(firstWrong, 0))
    .filter(({ filename }) => wrongNames.some((name) => filename.includes(name)))
    .some(({ counts }) => counts.open === 0 && counts.problems === 0 && counts.completed > 0);
  return { connect: hasCompany, mistakes: firstWrong >= 0, correct, books: sawBooks };
}
