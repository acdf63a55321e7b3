import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { openState } from "./sqlite.ts";

/** Holds a state file like a killed simulator that has not ended yet, and releases it a moment later. */
const HOLDER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { DatabaseSync } = require("node:sqlite");
  const db = new DatabaseSync(workerData);
  db.exec("CREATE TABLE IF NOT EXISTS thing (id); BEGIN EXCLUSIVE");
  parentPort.postMessage("held");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  db.exec("COMMIT");
  db.close();
`;

test("a simulator waits while a killed predecessor still locks its state", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dockside-state-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "state.sqlite");
  const holder = new Worker(HOLDER, { eval: true, workerData: file });
  const ended = once(holder, "exit");
  await once(holder, "message");
  const db = openState(file, { version: 7, tables: ["thing"], sql: "CREATE TABLE thing (id);" });
  expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 7 });
  db.close();
  await ended;
});
