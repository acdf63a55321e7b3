import { createHash } from "node:crypto";
import type { ConnectConfig, SFTPWrapper } from "ssh2";
import type { Clock } from "#platform/clock.ts";
import {
  FolderError,
  isUsableName,
  pickDone,
  pickOldest,
  type Folder,
} from "#integrations/folders/folder.ts";
import { findAddress } from "#platform/outbound/public-address.ts";

export type SftpServer = { host: string; port: number };

export type SftpAccount = SftpServer & {
  user: string;
  secret: { password: string } | { privateKey: string };
  /** Fingerprint of the server's key, as OpenSSH writes it: "SHA256:…". */
  hostKey: string;
  folderIn: string;
  folderOut: string;
};

export type SftpOptions = {
  clock: Clock;
  /** Time for each response from the server. */
  answerMs: number;
  /** Time for all of it. */
  totalMs: number;
  /** Whether servers in private networks may be called. */
  allowPrivate: boolean;
};

const fingerprint = (key: Buffer) =>
  `SHA256:${createHash("sha256")
    .update(key)
    .digest("base64")
    .replace(/={1,2}$/, "")}`;

/** Reads the fingerprint of a server's key without signing in. @throws FolderError */
export async function readHostKey(server: SftpServer, options: SftpOptions): Promise<string> {
  const seen: string[] = [];
  const verify = (key: Buffer) => {
    seen.push(fingerprint(key));
    return false;
  };
  const session = await startSession(server, options);
  await session.connect({ username: "host-key", hostVerifier: verify }).catch((error: unknown) => {
    if (seen.length === 0) throw error;
  });
  session.close();
  const [key] = seen;
  if (key === undefined) throw new FolderError("unreachable");
  return key;
}

/** Signs in to a server whose key is the pinned one. @throws FolderError */
export async function openSftpFolder(account: SftpAccount, options: SftpOptions): Promise<Folder> {
  let isOther = false;
  const hostVerifier = (key: Buffer) => {
    isOther = fingerprint(key) !== account.hostKey;
    return !isOther;
  };
  const session = await startSession(account, options);
  try {
    await session.connect({ username: account.user, ...account.secret, hostVerifier });
    const sftp = await session.ask<SFTPWrapper>((done) => session.client.sftp(done));
    const folder = toFolder(session, sftp, account);
    await prepare(session, sftp, account);
    return folder;
  } catch (error) {
    session.close();
    throw isOther ? new FolderError("host_key_changed", { cause: error }) : error;
  }
}

type Done<T> = (error: Error | undefined | null, value: T) => void;
type Session = Awaited<ReturnType<typeof startSession>>;

/** A connection that ends by itself: a server that hangs holds nothing up for longer than its time. */
async function startSession(
  { host, port }: SftpServer,
  { clock, answerMs, totalMs, allowPrivate }: SftpOptions,
) {
  const found = await findAddress(host, allowPrivate ? "any" : "public");
  if ("fault" in found)
    throw new FolderError(found.fault === "private" ? "address_not_allowed" : "unreachable");
  const { address } = found;
  // Loaded at the first use: it takes 19 MB, and most installations have no such account.
  const { Client } = await import("ssh2");
  const client = new Client();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const fail = (error: FolderError) => {
    ended.reject(error);
    client.destroy();
  };
  const endTotal = clock.after(totalMs, () => fail(new FolderError("not_answering")));
  client.on("error", (error) => fail(toFolderError(error)));
  client.on("close", () => {
    endTotal();
    ended.reject(new FolderError("unreachable"));
  });
  const within = async <T>(work: Promise<T>): Promise<T> => {
    const cancel = clock.after(answerMs, () => fail(new FolderError("not_answering")));
    try {
      return await Promise.race([work, ended.promise]);
    } finally {
      cancel();
    }
  };
  return {
    client,
    within,
    connect: (config: ConnectConfig) =>
      within(
        new Promise<void>((resolve) => {
          client.once("ready", () => resolve());
          client.connect({ host: address, port, readyTimeout: totalMs, keepaliveInterval: 0, ...config });
          // Else each request of a conversation waits some 40 ms for the acknowledgment of the last one.
          client.setNoDelay(true);
        }),
      ),
    /** One request of ours, within the time of an answer. */
    ask: <T>(send: (done: Done<T>) => unknown) =>
      within(
        new Promise<T>((resolve, reject) => {
          send((error, value) => (error ? reject(toFolderError(error)) : resolve(value)));
        }),
      ),
    close: () => {
      endTotal();
      client.destroy();
    },
  };
}

function toFolderError(error: Error & { level?: string; code?: unknown }): FolderError {
  if (error.level === "client-authentication") return new FolderError("sign_in_refused", { cause: error });
  if (error.level === "client-timeout") return new FolderError("not_answering", { cause: error });
  // A number is the server's own answer to a request for a file.
  const isAnswer = typeof error.code === "number";
  return new FolderError(isAnswer ? "folder_refused" : "unreachable", { cause: error });
}

const REGULAR_FILE = 0o100000;
const FILE_TYPE = 0o170000;

function toFolder(session: Session, sftp: SFTPWrapper, { folderIn, folderOut }: SftpAccount): Folder {
  const exists = (path: string) =>
    session
      .ask<unknown>((done) => sftp.stat(path, done))
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof FolderError && error.fault === "folder_refused") return false;
          throw error;
        },
      );
  const listFiles = async (path: string) => {
    const entries = await session.ask<
      { filename: string; attrs: { mode: number; size: number; mtime: number } }[]
    >((done) => sftp.readdir(path, done));
    return entries
      .filter(({ filename, attrs }) => (attrs.mode & FILE_TYPE) === REGULAR_FILE && isUsableName(filename))
      .map(({ filename: name, attrs }) => ({ name, size: attrs.size, modifiedAt: attrs.mtime }));
  };
  return {
    list: async () => pickOldest(await listFiles(folderIn)),
    listDone: async (behind) => pickDone(await listFiles(`${folderIn}/done`), behind),
    read: ({ name, size }, from) =>
      readExactly(session, sftp, { path: [folderIn, ...(from ? [from] : []), name].join("/"), size }),
    move: (name, to, as) =>
      session.ask<unknown>((done) =>
        sftp.rename(`${folderIn}/${name}`, `${folderIn}/${to}/${as}`, (error) => done(error, null)),
      ) as Promise<void>,
    send: async (name, bytes) => {
      if (await exists(`${folderOut}/${name}`)) return;
      const part = `${folderOut}/.${name}.part`;
      await session.ask<unknown>((done) =>
        sftp.writeFile(part, Buffer.from(bytes), (error) => done(error, null)),
      );
      await session.ask<unknown>((done) =>
        sftp.rename(part, `${folderOut}/${name}`, (error) => done(error, null)),
      );
    },
    close: session.close,
  };
}

/** Reads one byte more than was listed at most: a server may say one size and send without end. */
async function readExactly(
  { ask }: Session,
  sftp: SFTPWrapper,
  { path, size }: { path: string; size: number },
): Promise<Buffer> {
  const handle = await ask<Buffer>((done) => sftp.open(path, "r", done));
  const bytes = Buffer.alloc(size + 1);
  let length = 0;
  while (length <= size) {
    const at = length;
    const want = Math.min(CHUNK_BYTES, size + 1 - at);
    const got = await ask<number>((done) =>
      sftp.read(handle, bytes, at, want, at, (error, count) => {
        // The end of a file is an answer too.
        if (error && (error as { code?: unknown }).code === END_OF_FILE) done(null, 0);
        else done(error, count);
      }),
    );
    if (got === 0) break;
    length += got;
  }
  await ask<unknown>((done) => sftp.close(handle, (error) => done(error, null)));
  if (length !== size) throw new FolderError("sizes_differ");
  return bytes.subarray(0, size);
}

const CHUNK_BYTES = 32_000;
const END_OF_FILE = 1;

/** Makes the folders that taken files go to; ones that are there are fine. */
async function prepare(session: Session, sftp: SFTPWrapper, { folderIn }: SftpAccount): Promise<void> {
  for (const name of ["done", "refused"]) {
    const path = `${folderIn}/${name}`;
    await session
      .ask<unknown>((done) => sftp.mkdir(path, (error) => done(error, null)))
      .catch((error: unknown) => {
        if (!(error instanceof FolderError) || error.fault !== "folder_refused") throw error;
      });
  }
}
