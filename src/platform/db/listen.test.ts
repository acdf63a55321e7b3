import { expect, onTestFinished, test } from "vitest";
import { listen } from "#platform/db/listen.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { startRelay } from "../../../test/support/relay.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";

/** Lets what was written reach the relay. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A process that listens through a relay, and another one that notifies. */
async function startListening() {
  const { pool: server, url, drop } = await createTestDatabase();
  const relay = await startRelay(url);
  const clock = steppedClock();
  const received: string[] = [];
  const lines: { level: number; msg: string }[] = [];
  const log = createLog("debug", { write: (line) => void lines.push(JSON.parse(line)) });
  const close = await listen(relay.url, { channel: "changes", log, clock }, (payload) => {
    received.push(payload);
  });
  onTestFinished(async () => {
    await close();
    await relay.stop();
    await drop();
  });
  const findListeners = async () => {
    const { rows } = await server.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and query = 'listen changes'`,
    );
    return rows.map(({ pid }) => pid);
  };
  return {
    relay,
    clock,
    received,
    lines,
    close,
    findListeners,
    notify: (payload: string) => server.query("select pg_notify('changes', $1)", [payload]),
    /** Ends the connection at the server, as a primary that stops does. */
    endAtServer: () =>
      server.query(
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity
          where datname = current_database() and query = 'listen changes'`,
      ),
  };
}

test("a listening connection that is being closed is asked nothing more, however long that takes", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const { clock, close } = await startListening();
  const closed = close();
  for (let minute = 0; minute < 10; minute += 1) {
    clock.advance(60_000);
    await Promise.resolve();
  }
  await closed;
  expect(warnings).toEqual([]);
});

test("HA-01 a listening connection that dies is opened again after two seconds, each time one; only what is sent meanwhile is lost", async () => {
  const { clock, received, lines, notify, endAtServer, findListeners } = await startListening();
  const expected: string[] = [];
  for (const time of [1, 2, 3]) {
    await notify(`before ${time}`);
    await clock.settle(0);
    await endAtServer();
    await clock.settle(1_999);
    await notify(`lost ${time}`);
    expect(await findListeners()).toEqual([]);
    await clock.settle(1);
    await notify(`after ${time}`);
    await clock.settle(0);
    expected.push(`before ${time}`, `after ${time}`);
    expect(received).toEqual(expected);
    expect(await findListeners()).toHaveLength(1);
  }
  expect(lines.filter(({ level }) => level > 20)).toEqual([]);
});

test("HA-01 a server that refuses to be listened to is tried every two seconds until it admits, without a line for operators", async () => {
  const { relay, clock, received, lines, notify, findListeners } = await startListening();
  relay.refuse();
  relay.cut();
  await clock.settle(60_000);
  const attempts = lines.filter(({ msg }) => msg === "The database cannot be listened to yet");
  expect(attempts).toHaveLength(30);
  expect(lines.filter(({ level }) => level > 20)).toEqual([]);
  relay.admit();
  await clock.settle(2_000);
  await notify("after");
  await clock.settle(60_000);
  expect(received).toEqual(["after"]);
  expect(await findListeners()).toHaveLength(1);
});

test("HA-01 a listening connection to a server that is gone without a word is asked every half minute, and opened again when nothing answers", async () => {
  const { relay, clock, received, notify, findListeners } = await startListening();
  const before = await findListeners();
  await clock.settle(90_000);
  relay.fallSilent();
  await notify("lost");
  clock.advance(30_000);
  await turn();
  clock.advance(9_999);
  await turn();
  expect(await findListeners()).toEqual(before);
  relay.admit();
  clock.advance(1);
  await clock.settle(2_000);
  await notify("after");
  await clock.settle(0);
  expect(received).toEqual(["after"]);
  // The server may not have noticed yet that the other one is over.
  expect((await findListeners()).filter((pid) => !before.includes(pid))).toHaveLength(1);
});

test("a listener that is closed while it opens its connection again leaves none", async () => {
  const { clock, received, close, notify, endAtServer } = await startListening();
  await endAtServer();
  await clock.settle(1_999);
  clock.advance(1);
  await turn();
  await close();
  await clock.settle(60_000);
  await notify("after");
  await clock.settle(0);
  expect(received).toEqual([]);
});
