/** A regular file of a folder. Two equal looks say that it is not being written. */
export type FolderFile = { name: string; size: number; modifiedAt: number };

/** Where a file goes after it was taken. */
export type TakenTo = "done" | "refused";

/**
 * A folder of incoming files with its `done` and `refused`, and one of outgoing files. Names are those that `list` gave; every
 * call throws FolderError.
 */
export type Folder = {
  /** Regular files with usable names, the oldest first, at most `MAX_FILES`. */
  list(): Promise<FolderFile[]>;
  /** Files in `done` whose names sort behind a text, the earliest first, at most `MAX_FILES`. */
  listDone(behind: string): Promise<FolderFile[]>;
  /** @throws FolderError `sizes_differ` unless the file has exactly the listed size */
  read(file: FolderFile, from?: "done"): Promise<Buffer>;
  /** Moves a taken file; `as` is its name there. */
  move(name: string, to: TakenTo, as: string): Promise<void>;
  /** Adds an outgoing file under its name at once and as a whole; an existing one stays. */
  send(name: string, bytes: Uint8Array): Promise<void>;
  close(): void;
};

export type FolderFault =
  | "unreachable"
  | "not_answering"
  | "host_key_changed"
  | "sign_in_refused"
  | "folder_refused"
  | "linked"
  | "sizes_differ"
  | "address_not_allowed"
  | "no_space";

export class FolderError extends Error {
  readonly fault: FolderFault;

  constructor(fault: FolderFault, options?: ErrorOptions) {
    super(`A folder of orders failed: ${fault}.`, options);
    this.name = "FolderError";
    this.fault = fault;
  }
}

/** A folder with more is worked off in several looks. */
export const MAX_FILES = 1_000;
const MAX_NAME = 200;

const byName = (a: FolderFile, b: FolderFile) => (a.name < b.name ? -1 : 1);

/** Picks the incoming files that `list` lists: an order was written before its changes. */
export const pickOldest = (files: readonly FolderFile[]): FolderFile[] =>
  files.toSorted((a, b) => a.modifiedAt - b.modifiedAt || byName(a, b)).slice(0, MAX_FILES);

/** Picks the files in `done` that `listDone` lists. */
export const pickDone = (files: readonly FolderFile[], behind: string): FolderFile[] =>
  files
    .filter(({ name }) => name > behind)
    .toSorted(byName)
    .slice(0, MAX_FILES);

/** Whether a name from a server can be part of a path: no separator, no control character, no dot file. */
export const isUsableName = (name: string): boolean =>
  name.length <= MAX_NAME && /^[^./\\\p{Cc}\p{Cs}\ufffd][^/\\\p{Cc}\p{Cs}\ufffd]*$/u.test(name);
