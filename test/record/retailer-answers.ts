import { onTestFinished } from "vitest";
import { sampleFile } from "#formats/x12/fixtures/sample-orders.ts";
import type { startSftp } from "../support/sftp-server.ts";

const TYPES = ["810", "856", "997"];

/** Twelve documents, with control numbers of their own; the retailer reads little more than their envelope. */
export const documents = Array.from({ length: 12 }, (_, at) => {
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
export function answerFiles(sftp: Awaited<ReturnType<typeof startSftp>>) {
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
