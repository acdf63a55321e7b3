import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Behavior of a relay: a network, or a pooler in transaction mode in one of two settings. */
type Manner = "relays" | "refuses limits" | "shares";

/**
 * Starts a relay before a database, which cuts and refuses connections as a network does, or stands in for PgBouncer in
 * transaction mode.
 */
export async function startRelay(databaseUrl: string, manner: Manner = "relays") {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get("host");
  const port = Number(target.searchParams.get("port") ?? (target.port || 5432));
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("error", () => undefined);
  };
  const dial = () =>
    keep(folder?.startsWith("/") ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname));
  let [refusals, cutsAt, isSilent] = [0, null as string | null, false];
  const join = (near: Socket) => {
    const far = dial();
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    far.on("data", (data) => isSilent || near.write(data));
    near.on("data", (data) => {
      if (cutsAt !== null && data.includes(cutsAt)) near.destroy();
      else if (!isSilent) far.write(data);
    });
  };
  const share = shareSession(dial);
  const server = createServer((near) => {
    keep(near);
    if (refusals > 0) {
      refusals -= 1;
      near.destroy();
    } else if (manner === "refuses limits") near.once("data", () => near.end(UNSUPPORTED));
    else if (manner === "shares") share(near);
    else join(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.searchParams.delete("port");
  url.host = `localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    /** Cuts each connection that sends the word. */
    cutAt: (word: string) => void (cutsAt = word),
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    /** Refuses `count` connections, or all until it admits them. */
    refuse: (count = Infinity) => void (refusals = count),
    admit: () => void ([refusals, isSilent] = [0, false]),
    /** Keeps every connection open and passes nothing on, as to a machine that is gone, until it admits them. */
    fallSilent: () => void (isSilent = true),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers each client by one session of the server, as with `ignore_startup_parameters`; messages must come one by one. */
function shareSession(dial: () => Socket): (near: Socket) => void {
  let session: { far: Socket; greeting: Buffer[] } | null = null;
  let asking: Socket | null = null;
  return (near) => {
    near.once("data", (startup) => {
      asking = near;
      // As PgBouncer, which checks logins itself: later clients get what follows the first one's.
      if (session) near.write(skipLogin(Buffer.concat(session.greeting)));
      else {
        const opened = { far: dial(), greeting: [] as Buffer[] };
        session = opened;
        opened.far.write(startup);
        opened.far.on("data", (data) => {
          if (!opened.greeting.some((part) => part.includes(READY))) opened.greeting.push(data);
          asking?.write(data);
        });
      }
      near.on("data", (data) => {
        asking = near;
        // A client that leaves ends no session.
        if (data[0] !== "X".charCodeAt(0)) session?.far.write(data);
      });
    });
  };
}

/** The server waits for the next message. */
const READY = Buffer.from([..."Z\0\0\0\u0005I"].map((letter) => letter.charCodeAt(0)));

/** The answer of PgBouncer 1.18. */
const UNSUPPORTED = makeError("unsupported startup parameter: idle_in_transaction_session_timeout");

function makeError(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const size = Buffer.alloc(4);
  size.writeInt32BE(fields.length + size.length);
  return Buffer.concat([Buffer.from("E"), size, fields]);
}

/** PostgreSQL's message that a login is accepted. */
const LOGGED_IN = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);

const skipLogin = (greeting: Buffer): Buffer => greeting.subarray(Math.max(0, greeting.indexOf(LOGGED_IN)));
