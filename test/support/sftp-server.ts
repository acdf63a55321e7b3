import { once } from "node:events";
import type { AddressInfo } from "node:net";
import ssh2 from "ssh2";
import { onTestFinished } from "vitest";
import { busy } from "./in-flight.ts";

const { Server, utils } = ssh2;
const { STATUS_CODE, OPEN_MODE } = utils.sftp;

type Entry = { bytes: Buffer; mtime: number };

/** How the server misbehaves. */
export type SftpFault =
  | "hang_on_connect"
  | "hang_on_list"
  | "hang_on_read"
  | "other_size"
  | "endless_read"
  | "no_rename";

const FILE = 0o100644;
const FOLDER = 0o40755;

/** A real SFTP server on the loopback, with files in memory, for user "acme" with the password "secret". */
export async function startSftp() {
  const files = new Map<string, Entry>();
  const folders = new Set(["in", "out"]);
  /** Names that the server lists besides its files. */
  const listedToo: string[] = [];
  const state = { fault: null as SftpFault | null, reads: 0, signIns: 0 };
  const connections = new Set<{ end(): unknown }>();
  /** A conversation is work until it ends or hangs. */
  const conversations = new Set<() => void>();
  const hang = () => conversations.forEach((end) => end());
  let server: InstanceType<typeof Server>;

  const attrs = (mode: number, size = 0, mtime = 0) => ({ mode, uid: 0, gid: 0, size, atime: mtime, mtime });
  const findAttrs = (path: string) => {
    const file = files.get(path);
    if (file) return attrs(FILE, file.bytes.length + (state.fault === "other_size" ? 10 : 0), file.mtime);
    return folders.has(path) ? attrs(FOLDER) : null;
  };

  function serve(sftp: ssh2.SFTPWrapper): void {
    const handles = new Map<number, { path: string; isListed?: boolean; isWritten?: boolean }>();
    let last = 0;
    const open = (id: number, handle: { path: string; isWritten?: boolean }) => {
      last += 1;
      handles.set(last, handle);
      const name = Buffer.alloc(4);
      name.writeUInt32BE(last);
      sftp.handle(id, name);
    };
    const find = (handle: Buffer) => handles.get(handle.readUInt32BE(0));
    const stat = (id: number, path: string) => {
      const found = findAttrs(path);
      if (found) sftp.attrs(id, found);
      else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    };
    sftp.on("OPENDIR", (id, path) => {
      if (folders.has(path)) open(id, { path });
      else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    });
    sftp.on("READDIR", (id, handle) => {
      if (state.fault === "hang_on_list") return hang();
      const folder = find(handle);
      if (!folder || folder.isListed) return sftp.status(id, STATUS_CODE.EOF);
      folder.isListed = true;
      const inside = (path: string) =>
        path.startsWith(`${folder.path}/`) && path.split("/").length === folder.path.split("/").length + 1;
      const names = [...files.keys(), ...folders]
        .filter(inside)
        .map((path) => path.slice(folder.path.length + 1));
      const entries = names.map((name) => ({
        name,
        attrs: findAttrs(`${folder.path}/${name}`) ?? attrs(FILE),
      }));
      const more = folder.path === "in" ? listedToo.map((name) => ({ name, attrs: attrs(FILE, 4, 1) })) : [];
      sftp.name(
        id,
        [...entries, ...more].map(({ name, attrs: of }) => ({ filename: name, longname: name, attrs: of })),
      );
    });
    sftp.on("STAT", stat);
    sftp.on("LSTAT", stat);
    sftp.on("OPEN", (id, path, flags) => {
      if (flags & OPEN_MODE.WRITE) {
        files.set(path, { bytes: Buffer.alloc(0), mtime: 1 });
        return open(id, { path, isWritten: true });
      }
      if (files.has(path)) open(id, { path });
      else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    });
    sftp.on("READ", (id, handle, offset, length) => {
      if (state.fault === "hang_on_read") return hang();
      state.reads += 1;
      if (state.fault === "endless_read") return sftp.data(id, Buffer.alloc(length, "x"));
      const bytes = files.get(find(handle)?.path ?? "")?.bytes.subarray(offset, offset + length);
      if (bytes && bytes.length > 0) sftp.data(id, bytes);
      else sftp.status(id, STATUS_CODE.EOF);
    });
    sftp.on("WRITE", (id, handle, offset, data) => {
      const file = files.get(find(handle)?.path ?? "");
      if (!file) return sftp.status(id, STATUS_CODE.FAILURE);
      file.bytes = Buffer.concat([file.bytes.subarray(0, offset), data]);
      sftp.status(id, STATUS_CODE.OK);
    });
    sftp.on("FSETSTAT", (id) => sftp.status(id, STATUS_CODE.OK));
    sftp.on("CLOSE", (id) => sftp.status(id, STATUS_CODE.OK));
    sftp.on("MKDIR", (id, path) => {
      sftp.status(id, folders.has(path) ? STATUS_CODE.FAILURE : STATUS_CODE.OK);
      folders.add(path);
    });
    sftp.on("RENAME", (id, from, to) => {
      const file = files.get(from);
      if (!file || files.has(to) || state.fault === "no_rename") return sftp.status(id, STATUS_CODE.FAILURE);
      files.delete(from);
      files.set(to, file);
      sftp.status(id, STATUS_CODE.OK);
    });
  }

  const start = async (port: number) => {
    server = new Server({ hostKeys: [makeHostKey()] }, (client) => {
      connections.add(client);
      // The types of the library leave it out.
      (client as ssh2.Connection & { setNoDelay(on: boolean): void }).setNoDelay(true);
      const end = busy();
      conversations.add(end);
      client.on("close", end);
      client.on("close", () => connections.delete(client));
      client.on("error", () => undefined);
      client.on("authentication", (context) => {
        if (state.fault === "hang_on_connect") return hang();
        if (context.method === "none") return context.reject(["password"]);
        const isRight =
          context.method === "password" && context.username === "acme" && context.password === "secret";
        if (!isRight) return context.reject(["password"]);
        state.signIns += 1;
        context.accept();
      });
      client.on("ready", () =>
        client.on("session", (accept) => accept().on("sftp", (acceptSftp) => serve(acceptSftp()))),
      );
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    for (const connection of connections) connection.end();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  const port = await start(0);
  onTestFinished(stop);
  return {
    port,
    state,
    listedToo,
    put: (path: string, text: string, mtime = 1) => files.set(path, { bytes: Buffer.from(text), mtime }),
    text: (path: string) => files.get(path)?.bytes.toString(),
    /** Paths of all files, without the time that begins the name of a taken one. */
    paths: () => [...files.keys()].map((path) => path.replace(/\/\d{8}T\d{9}Z-/, "/")).sort(),
    /** The same server with another key. */
    changeKey: async () => {
      await stop();
      await start(port);
    },
  };
}

/** About one in several hundred keys that ssh2 generates can't be parsed by ssh2 itself. */
function makeHostKey(): string {
  for (;;) {
    const { private: key } = utils.generateKeyPairSync("ed25519");
    if (!(utils.parseKey(key) instanceof Error)) return key;
  }
}
