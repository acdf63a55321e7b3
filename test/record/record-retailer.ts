import { readInterchanges } from "#formats/x12/read-interchanges.ts";
import { readFunctionalAcknowledgment } from "#formats/x12/functional-acknowledgment.ts";
import type { Folder, FolderFile } from "#integrations/folders/folder.ts";
import { FolderError } from "#integrations/folders/folder.ts";
import {
  openSftpFolder,
  readHostKey,
  type SftpAccount,
  type SftpOptions,
} from "#integrations/folders/sftp-folder.ts";
import type { Facts } from "./plays.ts";
import type { Recording } from "./record-company.ts";
import { unique } from "./wire.ts";

/** A document as the product writes it, with the interchange around it. */
export type RetailerDocument = { type: string; bytes: Uint8Array };

type Options = {
  /** The test account; its server's key is read first. */
  account: Omit<SftpAccount, "hostKey">;
  options: SftpOptions;
  documents: readonly RetailerDocument[];
  /** Waits until the retailer may have answered. */
  wait(ms: number): Promise<unknown>;
  say(text: string): void;
  keep?: (recordings: readonly Recording[]) => Promise<unknown>;
};

const ASK_EVERY_MS = 10_000;
/** Retailers' test systems answer within minutes. */
const ANSWERED_WITHIN_MS = 600_000;

/** Plays what we rely on at a retailer's SFTP test account: its folders, our documents, and its answers. */
export async function recordRetailer(all: Options): Promise<Recording[]> {
  const { account, options, documents, wait, say, keep } = all;
  const hostKey = await readHostKey(account, options);
  const folder = await openSftpFolder({ ...account, hostKey }, options);
  const recordings: Recording[] = [];
  const record = async (name: string, play: () => Promise<Facts>) => {
    say(`Playing ${name} …`);
    recordings.push({ name, facts: await play(), exchanges: [] });
    await keep?.(recordings);
  };
  const inbox = await openInbox(folder, wait);
  try {
    await record("folders", () => playFolders(all, { ...account, hostKey }, folder));
    await record("documents", async () => {
      // The first one was sent by the play before.
      for (const document of documents.slice(1)) await folder.send(nameFile(document), document.bytes);
      const answers = await inbox.await(documents.length);
      return {
        sent: documents.map(({ type }) => type).toSorted(),
        "accepted, accepted with errors, in part, refused": ["A", "E", "P", "R"].map(
          (status) => answers.filter((answer) => answer === status).length,
        ),
        "not answered": Math.max(0, documents.length - answers.length),
      };
    });
    await record("doubled-control-number", async () => {
      const [first] = documents;
      if (!first) return { tried: false };
      await folder.send(nameFile(first), first.bytes);
      return { tried: true, answered: await inbox.await(1) };
    });
  } finally {
    folder.close();
  }
  return recordings;
}

const nameFile = ({ type }: RetailerDocument) => `record-${type}-${unique()}.edi`;

async function playFolders(
  { options, documents }: Options,
  account: SftpAccount,
  folder: Folder,
): Promise<Facts> {
  const [document] = documents;
  const name = document ? nameFile(document) : null;
  if (document && name) await folder.send(name, document.bytes);
  // The folder of outgoing files is listed as one of incoming files; a retailer that takes files at once shows none.
  const outbox = await openSftpFolder({ ...account, folderIn: account.folderOut }, options);
  const seen = (await outbox.list().finally(outbox.close)).find((file) => file.name === name);
  const wrong = await openSftpFolder({ ...account, secret: { password: unique() } }, options).then(
    (opened) => {
      opened.close();
      return "accepted";
    },
    (error: unknown) => (error instanceof FolderError ? error.fault : "another failure"),
  );
  const other = await openSftpFolder({ ...account, hostKey: "SHA256:other" }, options).then(
    () => "accepted",
    (error: unknown) => (error instanceof FolderError ? error.fault : "another failure"),
  );
  return {
    "a file is put under a hidden name and renamed": name !== null,
    "it is listed with its size": seen ? seen.size === document?.bytes.length : "taken at once",
    "a wrong password": wrong,
    "another host key": other,
  };
}

/** Answers that arrive from now on. */
async function openInbox(folder: Folder, wait: Options["wait"]) {
  const known = new Set((await folder.list()).map(({ name }) => name));
  return {
    /** @returns status of each set by its 997, or TA1 with that of its interchange */
    await: async (count: number): Promise<string[]> => {
      const answers: string[] = [];
      for (let waited = 0; ; waited += ASK_EVERY_MS) {
        for (const file of await folder.list()) {
          if (known.has(file.name)) continue;
          known.add(file.name);
          answers.push(...(await readAnswers(folder, file)));
        }
        if (answers.length >= count || waited >= ANSWERED_WITHIN_MS) return answers.toSorted();
        await wait(ASK_EVERY_MS);
      }
    },
  };
}

async function readAnswers(folder: Folder, file: FolderFile): Promise<string[]> {
  const answers: string[] = [];
  for (const part of readInterchanges(await folder.read(file))) {
    if (part.kind === "set" && part.set.type === "997") {
      const read = readFunctionalAcknowledgment(part.set);
      answers.push(...("document" in read ? read.document.sets.map(({ status }) => status) : ["unreadable"]));
    }
    if (part.kind === "interchange") answers.push(...part.answers.map((answer) => `TA1 ${answer[4]}`));
  }
  return answers;
}
