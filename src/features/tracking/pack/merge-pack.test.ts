import { PDFDocument } from "@cantoo/pdf-lib";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { afterAll, expect, test } from "vitest";
import { makePackage } from "#features/tracking/proof/fixtures/responses.ts";
import { makeProof } from "#features/tracking/proof/make-proof.ts";
import { run, type Part } from "#features/tracking/pack/merge-pack.ts";

const library = await PDFiumLibrary.init();
afterAll(() => library.destroy());

const now = new Date("2026-11-26T09:20:00Z");
const { pdf } = await makeProof({ tracked: makePackage(0, "proof"), now });
const head = { number: "B-1", customer: "Red Rock Diner", madeAt: "Nov 26, 2026, 9:20 AM UTC" };

async function merge(parts: readonly Part[]): Promise<string[]> {
  const document = await library.loadDocument(await run(new Uint8Array(), { head, parts }));
  const pages = [...document.pages()].map((page) => page.getText().replaceAll(/\s+/g, " "));
  document.destroy();
  return pages;
}

async function encrypt(passwords: { ownerPassword: string; userPassword: string }): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  document.encrypt(passwords);
  return document.save();
}

test("damaged, empty and locked files are named, and the others are kept whole", async () => {
  const pages = await merge([
    { title: "Whole", pdf },
    { title: "Cut", pdf: pdf.subarray(0, 400) },
    { title: "Empty", pdf: new Uint8Array() },
    { title: "Noise", pdf: new TextEncoder().encode("x".repeat(10_000)) },
    { title: "Locked", pdf: await encrypt({ ownerPassword: "o", userPassword: "u" }) },
    {
      title: "Without its index",
      pdf: Buffer.from(pdf.toString("latin1").replace("startxref", "startxrex"), "latin1"),
    },
  ]);
  expect(pages).toHaveLength(3);
  for (const text of [
    "Whole page 2",
    "Cut missing The file is damaged and can't be read.",
    "Empty missing The file is damaged",
    "Noise missing The file is damaged",
    "Locked missing The file is protected by a password.",
    "Without its index page 3",
  ])
    expect(pages[0]).toContain(text);
  expect(pages[1]).toContain("Proof of delivery");
  expect(pages[2]).toBe(pages[1]);
});

test("a list longer than a page continues on more pages, and the page numbers count them", async () => {
  const parts = Array.from({ length: 60 }, (_, at) => ({ title: `Proof ${at}`, pdf }));
  const pages = await merge(parts);
  expect(pages).toHaveLength(62);
  expect(pages[0]).toContain("Proof 0 page 3");
  expect(pages[1]).toContain("Proof 59 page 62");
});
