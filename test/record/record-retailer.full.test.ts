import { setTimeout as wait } from "node:timers/promises";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import { systemClock } from "#platform/clock.ts";
import { startSftp } from "../support/sftp-server.ts";
import { differences, type Recording } from "./record-company.ts";
import { recordRetailer } from "./record-retailer.ts";

const RECORDINGS = join(import.meta.dirname, "../../simulators/retailer/recordings");
const TYPES = ["810", "856", "997"];

/** Twelve documents, with control numbers of their own, of which the retailer reads little more than the envelope. */
const documents = Array.from({ length: 12 }, (_, at) => {
  const type = TYPES[at % TYPES.length] ?? "856";
  const number = String(at + 1).padStart(9, "0");
  const text = sampleFile({
    sets: [[`ST*${type}*0001`, "ZZ*1", "SE*3*0001"]],
    group: `GS*SH*SUPPLIER*RETAILER*20261126*0915*${at + 1}*X*004060`,
    groupEnd: `GE*1*${at + 1}`,
    end: `IEA*1*${number}`,
  }).replace("000000017", number);
  return { type, bytes: Buffer.from(text) };
});

/** A retailer that answers each file once it sees it: a TA1 for an interchange it has already, else a 997. */
function answerFiles(sftp: Awaited<ReturnType<typeof startSftp>>) {
  const read = new Set<string>();
  const known = new Set<string>();
  const look = () => {
    for (const path of sftp.paths().filter((each) => /^out\/[^.]/.test(each) && !read.has(each))) {
      read.add(path);
      const text = sftp.text(path) ?? "";
      const [, number = ""] = /\nIEA\*1\*(\d+)/.exec(text) ?? [];
      const [, group = ""] = /\nGE\*1\*(\d+)/.exec(text) ?? [];
      const [, type = ""] = /\nST\*(\d+)/.exec(text) ?? [];
      const answer = known.has(number)
        ? sampleFile({ sets: [], group: `TA1*${number}*261126*0915*R*025`, groupEnd: "" }).replace(
            "IEA*1",
            "IEA*0",
          )
        : sampleFile({
            sets: [
              ["ST*997*0001", `AK1*SH*${group}`, `AK2*${type}*0001`, "AK5*A", "AK9*A*1*1*1", "SE*6*0001"],
            ],
            group: "GS*FA*RETAILER*SUPPLIER*20261126*0915*5*X*004060",
          });
      known.add(number);
      sftp.put(`in/answer-${read.size}.edi`, answer);
    }
  };
  const timer = setInterval(look, 20);
  onTestFinished(() => clearInterval(timer));
}

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
