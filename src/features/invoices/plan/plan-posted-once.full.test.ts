import { expect, test } from "vitest";
import { createRandom, type Random } from "../../../../test/corpus/random.ts";
import { type Correction, leaveOut } from "#formats/table/corrections.ts";
import { ACME } from "#features/invoices/fixtures/plan-rows.ts";
import { run as planWorkbook } from "#features/invoices/plan/plan-workbook.ts";
import { decideOutcomes } from "#features/invoices/plan/rules-dedupe.ts";
import type { EqualEntry } from "#features/invoices/plan/store-earlier.ts";

type SavedFile = { content: string; lines: string[] };

const NAMES = ["october.csv", "october copy.csv", "final.csv"];
/** Corrections of each column. */
const VALUES = {
  invoiceNo: (random: Random) => `C-${random.upTo(99)}`,
  customer: () => "Maple Ltd",
  invoiceDate: (random: Random) => `2026-11-${10 + random.upTo(15)}`,
  description: (random: Random) => `Corrected ${random.upTo(9)}`,
  amount: (random: Random) => `${10 + random.upTo(9)}.50`,
};

/** A file of invoices with and without numbers, some of several rows, some with a date that can't be read. */
function makeFile(random: Random, name: string): SavedFile {
  const lines = Array.from({ length: 2 + random.upTo(4) }, (_, at) => {
    const number = random.chance(0.5) ? `${name}-${random.chance(0.3) ? 1 : at + 1}` : "";
    const date = random.chance(0.2) ? "Nov 3rd?" : `2026-11-0${1 + random.upTo(8)}`;
    return `${number},Beta LLC,${date},Widget 9,Line ${name} ${at},${10 + at}.00`;
  });
  return {
    content: ["Invoice No,Customer,Invoice Date,Item,Description,Amount", ...lines].join("\n"),
    lines,
  };
}

function correct(random: Random, { lines }: SavedFile): Correction[] {
  const row = () => 2 + random.upTo(lines.length - 1);
  const cells = Array.from({ length: random.upTo(3) }, (): Correction => {
    const field = random.pick(Object.keys(VALUES) as (keyof typeof VALUES)[]);
    return { row: row(), field, value: VALUES[field](random) };
  });
  const record = { name: null, cents: null, currency: null };
  return random.chance(0.2) ? [...cells, leaveOut([row()], record)] : cells;
}

type Posted = EqualEntry & { content: string };

/** Returns the invoices that a check of the file offers, given everything already posted. */
function check(file: SavedFile, corrections: Correction[], ledger: readonly Posted[]) {
  const { heads } = planWorkbook(new TextEncoder().encode(file.content), { ...ACME, corrections });
  const numbers = new Set(heads.flatMap(({ docNumber }) => docNumber ?? []));
  const numbered = ledger.filter(({ docNumber }) => docNumber !== null && numbers.has(docNumber));
  const outcomes = decideOutcomes(heads, {
    sameFile: ledger.filter(({ content }) => content === file.content),
    equal: ledger.filter(({ content }) => content !== file.content),
    numbered,
    open: [],
    postedNumbers: new Map(
      numbered.map(({ docNumber, qboId }) => [docNumber ?? "", { id: qboId ?? "", customer: "1" }]),
    ),
    statuses: new Map(),
    toDay: () => "2026-11-28",
  });
  return heads.filter((_, at) => outcomes[at]?.state === "ready");
}

const toPosted = (random: Random, id: string) => ({
  uploadId: id,
  state: random.chance(0.1) ? ("unresolved" as const) : ("posted" as const),
  fileName: random.pick(NAMES),
  uploadedAt: new Date(0),
  uploadedBy: "olive@acme.example",
  customerName: "Beta LLC",
  amountCents: 1_000,
  undoId: null,
  qboId: id,
  syncToken: "0",
});

test("SH-10 in 2,000 generated histories of checks, corrections, new names and copies, nothing that was posted is offered again", () => {
  for (let seed = 0; seed < 2_000; seed += 1) {
    const random = createRandom(seed);
    const made = makeFile(random, "A");
    // Saving a file again changes its bytes but not its invoices.
    const copy = { ...made, content: `${made.content}\n` };
    const files = [made, copy, makeFile(random, "B")];
    const isCorrected = random.chance(0.7);
    const ledger: Posted[] = [];
    for (let round = 0; round < 5; round += 1) {
      const file = random.pick(files);
      const ready = check(file, isCorrected ? correct(random, file) : [], ledger);
      const ofFile = ledger.filter(({ content }) => content === file.content);
      const before = new Set(ofFile.flatMap(({ rows }) => rows));
      const again = ready.flatMap(({ rows }) => rows.filter((row) => before.has(row)));
      const numbers = new Set(ledger.flatMap(({ docNumber }) => docNumber ?? []));
      const numbersAgain = ready.filter(({ docNumber }) => docNumber && numbers.has(docNumber));
      const saved = ledger.some(({ content }) => content.trim() === file.content.trim());
      const unchangedAgain = !isCorrected && saved ? ready : [];
      expect([seed, round, again, numbersAgain, unchangedAgain]).toEqual([seed, round, [], [], []]);
      ledger.push(
        ...ready.map((head, at) => ({
          ...head,
          ...toPosted(random, `${round}-${at}`),
          fingerprint: head.fingerprint ?? "",
          ownNumber: head.docNumber,
          content: file.content,
        })),
      );
    }
  }
});
