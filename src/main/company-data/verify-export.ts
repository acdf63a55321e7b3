import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { readTar, TarFault, type ReadTarFile } from "#formats/tar/read-tar.ts";
import { OperatorError } from "../operator/command.ts";
import { MANIFEST, manifest, tablePath, type CompanyManifest } from "./manifest.ts";

const READ_BYTES = 1024 * 1024;

/** Opens the files of an export, in order. */
export const openExport = (file: string): AsyncGenerator<ReadTarFile> =>
  readTar(createReadStream(file, { highWaterMark: READ_BYTES }));

/**
 * Reads a whole export and compares each of its files with the manifest.
 * @throws OperatorError naming the file that is missing, was changed, or isn't listed
 */
export async function verifyExport(file: string): Promise<CompanyManifest> {
  const found = new Map<string, { bytes: number; sha256: string }>();
  let content: CompanyManifest | null = null;
  try {
    for await (const part of openExport(file)) {
      if (part.path === MANIFEST) content = readManifest(await buffer(part.content));
      else if (found.has(part.path)) throw damaged(file, part.path);
      else {
        const hash = createHash("sha256");
        for await (const chunk of part.content) hash.update(chunk);
        found.set(part.path, { bytes: part.bytes, sha256: hash.digest("hex") });
      }
    }
  } catch (error) {
    if (!(error instanceof TarFault)) throw error;
    const last = [...found.keys()].at(-1);
    const where = last === undefined ? "at its beginning" : `after ${last}`;
    throw new OperatorError(
      `${file} is no complete export: it is damaged ${where}. Nothing was imported; export the company again.`,
    );
  }
  if (!content)
    throw new OperatorError(
      `${file} is no complete export: ${MANIFEST} is missing, or this version can't read it. Nothing was imported.`,
    );
  for (const { path, bytes, sha256 } of content.files) {
    const part = found.get(path);
    if (part?.bytes !== bytes || part.sha256 !== sha256) throw damaged(file, path);
    found.delete(path);
  }
  const listed = new Set(content.files.map(({ path }) => path));
  const lacking = content.tables.find(({ name }) => !listed.has(tablePath(name)));
  const odd = lacking ? tablePath(lacking.name) : found.keys().next().value;
  if (odd !== undefined) throw damaged(file, odd);
  return content;
}

function readManifest(text: Buffer): CompanyManifest | null {
  try {
    return manifest.parse(JSON.parse(text.toString()));
  } catch {
    return null;
  }
}

/** Refuses an export one of whose files is not as listed. */
export const damaged = (file: string, path: string): OperatorError =>
  new OperatorError(
    `${file} is damaged: ${path} is missing, was changed, or isn't in its manifest. Nothing was imported; export the company again.`,
  );
