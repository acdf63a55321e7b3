/** Puts the pages of several PDFs, which are our own files, into one; each page keeps its paper. */
export async function mergeFiles(files: readonly Uint8Array[], title: string): Promise<Buffer> {
  // Loaded when it is needed: few companies ask for it.
  const { PDFDocument, PrintScaling } = await import("@cantoo/pdf-lib");
  const merged = await PDFDocument.create({ updateMetadata: false });
  for (const file of files) {
    const source = await PDFDocument.load(file, { updateMetadata: false });
    for (const page of await merged.copyPages(source, source.getPageIndices())) merged.addPage(page);
  }
  merged.setTitle(title);
  const preferences = merged.catalog.getOrCreateViewerPreferences();
  preferences.setPrintScaling(PrintScaling.None);
  preferences.setPickTrayByPDFSize(true);
  return Buffer.from(await merged.save());
}
