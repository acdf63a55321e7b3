/** The embedded database cannot run; the message is one sentence for the operator. */
export class EmbeddedPostgresFailure extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = "EmbeddedPostgresFailure";
  }
}

/**
 * Explains in one sentence why work in a folder failed.
 * @param problem a file system error, or the last output of a PostgreSQL program
 */
export function folderFailure(folder: string, problem: unknown): EmbeddedPostgresFailure {
  const text = problem instanceof Error ? problem.message : String(problem);
  return new EmbeddedPostgresFailure(sentenceFor(folder, text), { cause: problem });
}

function sentenceFor(folder: string, text: string): string {
  if (/ENOSPC|EDQUOT|no space left|check free disk space|quota exceeded/i.test(text)) {
    return `The disk of the data folder ${folder} is full: free some space and start again.`;
  }
  if (/EROFS|read-only file system/i.test(text)) {
    return `The data folder ${folder} is on a read-only file system: set DATA_DIR to a folder that can be written.`;
  }
  if (/EACCES|EPERM|permission denied|operation not permitted/i.test(text)) {
    return `The data folder ${folder} cannot be written: give this user the rights, or set DATA_DIR to another folder.`;
  }
  if (/EEXIST|ENOTDIR|not a directory/i.test(text)) {
    return `The data folder ${folder} is not a folder: set DATA_DIR to a folder.`;
  }
  if (/incompatible|initialized by PostgreSQL version/i.test(text)) {
    return `The data folder ${folder} was made by another major version of PostgreSQL: use the version that made it.`;
  }
  return `The embedded PostgreSQL did not start in ${folder}: ${lastLine(text)}`;
}

/** Prefix of each line of PostgreSQL's log. */
const TIME_AND_PROCESS = /^[\d-]+ [\d:.]+ UTC \[\d+\] /;

function lastLine(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const reason = lines.findLast((line) => /FATAL|PANIC|error:/i.test(line)) ?? lines.at(-1);
  return reason?.replace(TIME_AND_PROCESS, "") ?? "it gave no reason.";
}
