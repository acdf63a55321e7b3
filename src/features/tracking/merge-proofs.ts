/** Puts the pages of several proofs, which are our own files, into one. */
export async function mergeProofs(files: readonly Uint8Array[]): Promise<Buffer> {
  // Loaded when it is needed: few companies ask for it.
  const { PDFDocument } = await import("@cantoo/pdf-lib");
  const merged = await PDFDocument.create({ updateMetadata: false });
  for (const file of files) {
    const source = await PDFDocument.load(file, { updateMetadata: false });
    for (const page of await merged.copyPages(source, source.getPageIndices())) merged.addPage(page);
  }
  merged.setTitle("Proofs of delivery");
  return Buffer.from(await merged.save());
}
