import { setTimeout as wait } from "node:timers/promises";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { startSftp } from "../support/sftp-server.ts";
import { differences, type Recording } from "./record-company.ts";
import { recordRetailer } from "./record-retailer.ts";
import { answerFiles, documents } from "./retailer-answers.ts";

const RECORDINGS = join(import.meta.dirname, "../../simulators/retailer/recordings");
async function recordSimulator() {
  const sftp = await startSftp();
  answerFiles(sftp);
  return recordRetailer({
    account: {
      host: "127.0.0.1",
      port: sftp.port,
      user: "acme",
      secret: { password: "secret" },
      folderIn: "in",
      folderOut: "out",
    },
    options: { clock: systemClock, answerMs: 5_000, totalMs: 60_000, allowPrivate: true },
    documents,
    wait: () => wait(100),
    say: () => undefined,
  });
}

test("HA-11 the recorder puts twelve documents on a retailer's SFTP account, and reads what it answers, also to a doubled control number", async () => {
  const recordings = await recordSimulator();
  expect(recordings.map(({ name, facts }) => ({ name, facts }))).toEqual([
    {
      name: "folders",
      facts: {
        "a file is put under a hidden name and renamed": true,
        "it is listed with its size": true,
        "a wrong password": "sign_in_refused",
        "another host key": "host_key_changed",
      },
    },
    {
      name: "documents",
      facts: {
        sent: documents.map(({ type }) => type).toSorted(),
        "accepted, accepted with errors, in part, refused": [12, 0, 0, 0],
        "not answered": 0,
      },
    },
    { name: "doubled-control-number", facts: { tried: true, answered: ["TA1 R"] } },
  ]);
  const other = recordings.map((each) =>
    each.name === "doubled-control-number" ? { ...each, facts: { tried: true, answered: ["R"] } } : each,
  );
  expect(differences(other, recordings)).toEqual([
    'doubled-control-number, answered: ["R"] there, ["TA1 R"] here',
  ]);
});

test("HA-11 the simulated retailer answers as the real one did, wherever that was recorded", async () => {
  const files = await readdir(RECORDINGS).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(RECORDINGS, file), "utf8")));
  const real = texts.map((text) => JSON.parse(text) as Recording);
  expect(differences(real, await recordSimulator())).toEqual([]);
});
