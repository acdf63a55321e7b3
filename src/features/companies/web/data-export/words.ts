/** UI text for exports of all data, and for the list of stored data. */
export const exportWords = {
  row: {
    name: "export",
    title: "Export",
    note: "All company data in one archive: tables as CSV, every file, and their hashes",
    loading: "Loading exports",
  },
  noneYet: "None yet",
  inProgress: "In progress",
  keptUntil: (at: string) => `Ready, kept until ${at}`,
  leftOut: "Passwords, tokens, and keys are left out.",
  none: "No exports yet. We'll email you when yours is ready, usually in a few minutes.",
  make: "Export everything",
  started: "Making the export",
  ready: "The export is ready",
  making: (files: number) => `In progress: ${files} ${files === 1 ? "file" : "files"} so far`,
  failed: "Something failed on our side, so there is no export. Try again, or contact us.",
  name: (day: string) => `Export of ${day}`,
  by: (email: string) => `Requested by ${email}`,
  size: (size: string, until: string) => `${size}, kept until ${until}`,
  hash: (sha256: string) => `SHA-256 ${sha256}`,
  download: "Download",
  storage: {
    row: {
      name: "storage",
      title: "Storage",
      note: "How much is stored for this company, by kind",
      loading: "Counting what is stored",
    },
  },
} as const;
