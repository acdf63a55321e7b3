import type { ProfileContent } from "#features/labels/profiles/contract.ts";

type Band = ProfileContent["bands"][number];

/** Labels that a row of zones is printed on. */
const WHEN = [
  { value: "always", label: "On every label" },
  { value: "domestic", label: "Within the US" },
  { value: "foreign", label: "To other countries" },
  { value: "markFor", label: "Where a store is named" },
] as const;

/** Texts of the editor of label profiles, which is loaded when one is first edited. */
export const profileWords = {
  editor: (name: string) => `Edit ${name}`,
  name: "Name",
  digits: "Digits of store numbers",
  digitsHint: "Zeros are put in front. Blank: any number or text.",
  quiet: "Quiet zones (mm)",
  quietHint:
    "Blank space on both sides of each barcode. 0 is what GS1 asks for; some retailers ask for 6.35.",
  required: "Columns that must be filled",
  bands: WHEN,
  band: ({ zones, when, off }: Band) => {
    const letters = [...new Set(zones.map(({ letter }) => letter))];
    const name = letters.length === 1 ? `Zone ${letters[0]}` : `Zones ${letters.join(" and ")}`;
    const printed = WHEN.find(({ value }) => value === (when ?? "always"))?.label;
    return `${name}: ${off ? "Not printed" : printed}`;
  },
  /** One of several rows that are called the same. */
  sameBand: (name: string, place: number) => (place === 0 ? name : `${name} (${place + 1})`),
  printed: "Printed",
  when: "On which labels",
  height: "Height (points)",
  rest: "Takes the remaining height",
  addBand: "Add a row",
  addZone: "Add a zone",
  moveUp: (of: string) => `Move up: ${of}`,
  moveDown: (of: string) => `Move down: ${of}`,
  moveLeft: (of: string) => `Move left: ${of}`,
  moveRight: (of: string) => `Move right: ${of}`,
  removeOf: (of: string) => `Remove: ${of}`,
  letter: "Zone",
  ruled: "Line on its left",
  zone: (letter: string, place: number) =>
    place === 0 ? `Zone ${letter}` : `Zone ${letter}, part ${place + 1}`,
  range: (min: number, max: number) => `Enter a number from ${min} to ${max}.`,
  textNeeded: "Enter text, or remove the line.",
  zoneTitle: "Title",
  width: "Width (points)",
  lines: "Lines",
  caption: "Caption",
  text: "Text",
  textHint: "Fields are in braces:",
  size: "Size",
  bold: "Bold",
  addLine: "Add a line",
  lineOf: (zone: string, place: number) => `line ${place + 1} of ${zone}`,
  symbol: {
    label: "Barcode",
    choices: [
      { value: "", label: "None" },
      { value: "postalCode", label: "Postal code" },
      { value: "markFor", label: "Store" },
      { value: "poNumber", label: "Purchase order" },
      { value: "bol", label: "Bill of lading" },
    ],
    usual: { markFor: "91", poNumber: "400", bol: "402" },
    of: {
      postalCode: "postal code",
      markFor: "store",
      poNumber: "purchase order",
      bol: "bill of lading",
      sscc: "SSCC",
    },
    height: (of: string) => `Height of the ${of} barcode (points)`,
    ai: "Application identifier",
    aiHint: "Enter 2 to 4 digits, or leave it blank.",
  },
  preview: "How it prints",
  previewOf: "Label by this profile, with sample data",
  country: "Sample",
  countries: [
    { value: "US", label: "To the US" },
    { value: "CA", label: "To Canada" },
  ],
  faults: "Before it can be saved",
  remarks: "Worth a look",
  drawing: "Drawing the label",
  points: "72 points are an inch. A label is 288 wide and 432 high.",
  save: "Save profile",
  cancel: "Cancel",
  saved: (name: string) => `${name} was saved. Labels made from now on print like this.`,
} as const;
