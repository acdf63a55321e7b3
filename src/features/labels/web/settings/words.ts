import { formatPercent } from "#web/kit/format.ts";

type Serials = { left: number; total: number };

/** UI text for the label settings. */
export const settingsWords = {
  title: "Label settings",
  note: "For all labels of this company.",
  readOnly: (admin: string | null) =>
    admin === null ? "Only the company admin can change these." : `Ask ${admin} to change these.`,
  blank: "None",
  missing: "Enter your GS1 company prefix first. GS1 US assigned it to you, and every SSCC begins with it.",
  prefix: "GS1 company prefix",
  prefixHint: "4 to 12 digits. A six-digit UPC prefix gets a leading 0.",
  prefixWrong: "A GS1 company prefix has 4 to 12 digits.",
  prefixAt: (place: number) => `GS1 company prefix ${place + 2}`,
  nextAt: (place: number) => `Next serial of prefix ${place + 2}`,
  addPrefix: "Add a GS1 company prefix",
  extension: "Extension digit",
  extensionHint: "The first digit of each SSCC. Each extension digit has its own serials.",
  next: "Next serial",
  nextWrong: "Enter the next serial in digits only, such as 12000.",
  nextHint: "Already issuing SSCCs? Enter your last serial plus one. You can't lower it later.",
  profile: "Label profile",
  printer: "Printer resolution",
  printers: [
    { value: "203", label: "203 dpi" },
    { value: "300", label: "300 dpi" },
    { value: "600", label: "600 dpi, or an office printer" },
  ],
  printerHint: "Match your printer so bars come out the right width.",
  shipFrom: (place: number) => (place === 0 ? "Ship from" : `Ship from ${place + 1}`),
  code: "Code",
  name: "Name",
  address1: "Address 1",
  address2: "Address 2",
  city: "City",
  state: "State",
  postalCode: "Postal code",
  add: "Add a ship-from address",
  remove: "Remove",
  removeInstance: (place: number) => `ship-from address ${place + 1}`,
  save: "Save",
  saved: "Label settings saved.",
  discard: "Discard changes",
  shared: (prefixes: readonly string[], digit: string) =>
    `Another company here uses GS1 prefix ${prefixes.join(", ")} with extension digit ${digit}`,
  sharedCure: "Your SSCCs could repeat theirs. Choose an extension digit that no other company uses.",
  noDigit:
    "Your SSCCs could repeat theirs, and every extension digit is in use. Get another prefix from GS1 US.",
  useDigit: (digit: number) => `Use extension digit ${digit}`,
  usualPrefix: "this prefix",
  otherPrefix: (prefix: string) => `prefix ${prefix}`,
  low: ({ left, total }: Serials, prefix: string) =>
    `${formatPercent(100 - (100 * left) / total)} of the numbers for ${prefix} and this extension digit are used. Before they run out, choose another extension digit, or get another prefix from GS1 US.`,
} as const;
