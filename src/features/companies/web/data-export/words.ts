/** Texts of the card about exports of all data. */
export const exportWords = {
  title: "Your data",
  note: "All data of this company in one archive: tables as CSV, every file, and their hashes. Passwords, tokens and keys are left out.",
  show: "Show exports",
  hide: "Hide exports",
  loading: "Loading exports",
  none: "No export is kept. Making one takes a few minutes; you get an email when it is ready.",
  make: "Export all data",
  started: "The export is being made",
  ready: "The export is ready",
  making: (files: number) => `Being made: ${files} ${files === 1 ? "file" : "files"} so far`,
  failed: "It couldn't be made because of a failure on our side. Try again, or contact us.",
  name: (day: string) => `Export of ${day}`,
  by: (email: string) => `Requested by ${email}`,
  size: (size: string, until: string) => `${size}, kept until ${until}`,
  hash: (sha256: string) => `SHA-256 ${sha256}`,
  download: "Download",
} as const;
