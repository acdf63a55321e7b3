import { spellDate } from "#formats/table/dates.ts";
import { formatCount, rangesText } from "#formats/text/phrases.ts";
import type { SheetNames } from "#formats/text/sheet-rows.ts";
import { type CellProblem, RESULT_STATUS, type UploadResult } from "#features/invoices/contract.ts";
import type { ResultFacts, Statement } from "#features/invoices/ledger/tables.ts";
import { problemSentence, problemText, type Range } from "#features/invoices/results/sentences-problems.ts";
import { undoCauseSentence, uploadCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { createSentence, undoSentence } from "#features/invoices/results/sentences-writes.ts";
import { awayFrom, besideFile, type Wording } from "#features/sheets/reading.ts";

type About = {
  /** Shown as the support id. */
  uploadId: string;
  /** The page of an invoice in QuickBooks. */
  findPage: (invoiceId: string) => string;
  /** Names of the sheets that were read together. */
  sheets: SheetNames;
};

/** Converts a result to its wire shape. */
export function toWireResult(
  { status, rows, statement, tids = [], posted = [], places = [] }: ResultFacts,
  { uploadId, findPage, sheets }: About,
): UploadResult {
  const wording = besideFile(sheets);
  const all = statement.code === "problems" ? statement.problems : [];
  const problems = all.flatMap(({ column, ...problem }): CellProblem[] => {
    if (column === null) return [];
    const { code, field } = problem;
    return [{ code, field, column, message: problemSentence({ ...problem, column }, wording) }];
  });
  return {
    status,
    rows: rows[0] === 0 ? "" : rangesText(rows, sheets),
    message: statementText(statement, { rows, uploadId, sheets }),
    ...(problems.length > 0
      ? { cause: all.map((problem) => problemSentence(problem, wording)).join("\n") }
      : {}),
    ...markResult(statement, status),
    ...("invoices" in statement ? { invoices: statement.invoices } : {}),
    ...(places.length > 0 ? { places: [...places] } : {}),
    ...(posted.length > 0
      ? { posted: posted.map(({ id, number }) => ({ number, link: findPage(id) })) }
      : {}),
    ...(problems.length > 0 ? { problems } : {}),
    ...(tids.length > 0 ? { intuit_tids: [...tids] } : {}),
  };
}

/** Tells remarks on the file, and rows that only other rows of their invoice hold back, from the other results. */
function markResult(statement: Statement, status: number): Pick<UploadResult, "remark" | "blocked"> {
  if (statement.code === "note") return { remark: true };
  if (statement.code !== "problems") return {};
  if (status === RESULT_STATUS.information) return { remark: true };
  return statement.blockedBy ? { blocked: true } : {};
}

/**
 * Reasons why a row is in the problem workbook, each with the field of the wrong cell; null if there is no
 * single one. No reason names a cell, because cells move in that workbook.
 */
export function toReasons(
  statement: Statement,
  { uploadId, fileName, sheets }: { uploadId: string; fileName: string; sheets: SheetNames },
): { reason: string; field: string | null }[] {
  if (statement.code !== "problems")
    return [{ reason: statementText(statement, { rows: [0, 0], uploadId, sheets }), field: null }];
  const wording = awayFrom(fileName, sheets);
  const blocked = statement.blockedBy
    ? [{ reason: blockedSentence(statement.blockedBy, wording), field: null }]
    : [];
  const errors = statement.problems.filter(({ severity }) => severity === "error");
  const own = errors.map((problem) => ({
    reason: problemSentence(problem, wording),
    field: problem.field,
  }));
  return [...blocked, ...own];
}

/** Text of a statement. @param about.rows the rows that say it */
function statementText(
  statement: Statement,
  about: { rows: Range; uploadId: string; sheets: SheetNames },
): string {
  switch (statement.code) {
    case "upload":
      return uploadCauseSentence(statement.cause, about.uploadId);
    case "undo":
      return undoCauseSentence(statement.cause, about.uploadId);
    case "created":
      return createdSentence(statement, about.uploadId);
    case "undone":
      return undoneSentence(statement);
    case "left":
      return undoSentence(statement.cause, statement);
    case "outcome":
      return createSentence(statement.cause, statement);
    case "problems": {
      const own = statement.problems.map((problem) => problemText(problem, about));
      const blocked = statement.blockedBy && blockedSentence(statement.blockedBy, besideFile(about.sheets));
      return [...(blocked ? [blocked] : []), ...own].join("\n");
    }
    case "note":
      return problemText(statement.problem, { sheets: about.sheets });
    default:
      return FIXED[statement.code];
  }
}

const FIXED = {
  blank: "",
  checking: "Checking the file.",
  no_invoices: "The file has no invoices below its header row. Fill in the template and upload it again.",
  ready: "Ready to post.",
  checked: "Checked; waiting to be sent to QuickBooks.",
  sending: "Being sent to QuickBooks.",
  undoing: "Being undone in QuickBooks.",
};

type Of<Code> = Extract<Statement, { code: Code }>;

/** For the later rows of an invoice with scattered rows. */
const PART_OF_INVOICE = "Part of an invoice above.";

function createdSentence({ invoices, undoWaits }: Of<"created">, uploadId: string): string {
  const created =
    invoices === 0
      ? PART_OF_INVOICE
      : `${formatCount(invoices)} ${invoices === 1 ? "invoice" : "invoices"} posted.`;
  return undoWaits ? `${created} Not undone yet. ${undoCauseSentence(undoWaits, uploadId)}` : created;
}

type Undone = Omit<Of<"undone">, "code" | "day"> & { day: string | null };

/**
 * Reports that an undo removed invoices from the books, how and when. A single invoice is named by its
 * number.
 */
export function undoneSentence({ invoices, action, day, number }: Undone): string {
  if (invoices === 0) return PART_OF_INVOICE;
  const how = `${action === "void" ? "voided" : "deleted"} in QuickBooks${day === null ? "" : ` on ${spellDate(day)}`}`;
  if (invoices > 1) return `Undone: ${invoices} invoices were ${how}.`;
  return `Undone: ${number ? `invoice ${number}` : "the invoice"} was ${how}.`;
}

function blockedSentence({ rows }: NonNullable<Of<"problems">["blockedBy"]>, wording: Wording): string {
  const isOne = rows.length === 2 && rows[0] === rows[1];
  const named = wording.rows(rows);
  const places = isOne ? `row ${named} of this invoice needs` : `rows ${named} of this invoice need`;
  return `Not posted: ${places} fixing first.`;
}
