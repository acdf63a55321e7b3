import type { Received } from "#integrations/objects/receive-file.ts";

/** An expected document is missing: removed because of its age, or lost. */
export class ObjectMissing extends Error {
  constructor(key: string) {
    super(`There is no stored document ${key}.`);
    this.name = "ObjectMissing";
  }
}

/**
 * Store of documents. Keys are ours, `folder/name` of letters, digits, dots and dashes; they never contain users' file names.
 * A document exists as a whole or not at all, and stays once `keep` returns.
 */
export type ObjectStore = {
  /** @throws AppError 507 if the disk is full */
  receive(stream: AsyncIterable<Buffer | string>): Promise<Received>;
  /** @throws ObjectMissing if the key has no document; AppError 503 if the store can't be reached */
  read(key: string): Promise<Buffer>;
  /** Removes a document; harmless if it is already gone. */
  remove(key: string): Promise<void>;
  /** Lists the keys of all documents; one may be removed meanwhile. */
  list(): AsyncIterable<string>;
  /** Lists keys in a folder, for documents stored before a time. */
  listOlder(below: string, before: Date): AsyncIterable<string>;
  /** Whether the documents belong to this database; the first caller claims them. */
  belongsTo(installationId: string): Promise<boolean>;
  /** Explains in one sentence why documents can't be stored, read, listed or removed within a time; null if they can. */
  findFault(withinMs: number): Promise<string | null>;
};
