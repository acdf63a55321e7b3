/** UI text for the progress bar. */
export const progressWords = {
  uploading: (filename: string) => `Uploading ${filename}`,
  processingFile: (filename: string) => `Processing ${filename}`,
  percent: (percent: number) => `${percent} percent`,
  processing: "Processing",
  complete: "Upload complete",
} as const;
