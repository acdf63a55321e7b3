/** UI text for the settings of UPS labels. */
export const carrierSettingsWords = {
  title: "UPS label settings",
  note: (retailer: string) => `For ${retailer} orders.`,
  readOnly: (admin: string | null) =>
    admin === null ? "Only the company admin can change these." : `Ask ${admin} to change these.`,
  loading: "Loading the UPS label settings",
  shipFrom: "Ship from",
  name: "Name",
  phone: "Phone",
  line: "Address",
  city: "City",
  state: "State",
  zip: "ZIP code",
  billing: "Who pays UPS",
  billingOptions: (retailer: string) => [
    { value: "third_party", label: `${retailer}, with its own UPS account` },
    { value: "shipper", label: "You, with your UPS account" },
  ],
  account: (retailer: string) => `UPS account of ${retailer}`,
  accountHint: "6 letters and digits, from the retailer's shipping guide.",
  accountZip: "ZIP code of that account",
  format: "Label format",
  formats: [
    { value: "pdf", label: "PDF, for any printer" },
    { value: "zpl", label: "ZPL, for thermal printers" },
  ],
  slipPaper: "Packing slip paper",
  slipPapers: [
    { value: "letter", label: "Letter" },
    { value: "label", label: "4 × 6 in, like a label" },
  ],
  vendor: (retailer: string) => `Your vendor number at ${retailer}`,
  reason: "Usual reason when you cancel an order",
  noReason: "None",
  presets: "Carton sizes you use often",
  preset: (place: number) => `Carton size ${place + 1}`,
  presetName: "Name",
  length: "Length (in)",
  width: "Width (in)",
  height: "Height (in)",
  weight: "Weight (lb)",
  addPreset: "Add a carton size",
  remove: "Remove",
  removePreset: (name: string, place: number) => (name === "" ? `carton size ${place + 1}` : name),
  save: "Save",
  saved: "UPS label settings saved.",
  discard: "Discard changes",
  blank: "None",
  wrong: {
    address: "A ship-from address needs a name, an address, a city, a two-letter state, and a ZIP code.",
    account: "A UPS account number has 6 letters and digits.",
    zip: "Enter the five-digit ZIP code of the paying account.",
    preset: "Each carton size needs a name, and measurements within UPS's limits.",
    names: "Two carton sizes have the same name.",
  },
} as const;

/** UI text for the settings of notices for the retailer. */
export const noticeSettingsWords = {
  title: (retailer: string) => `Notices for ${retailer}`,
  cutOff: "Send notices at",
  cutOffHint: (timeZone: string) =>
    `A time like 17:00, in ${timeZone.replaceAll("_", " ")}. If UPS scans a package earlier, its notice is sent then.`,
  senderId: (retailer: string) => `Your X12 ID at ${retailer}`,
  senderIdHint: "Leave it blank to use the one in the retailer's files.",
  save: "Save notice settings",
  saved: "Notice settings saved.",
} as const;
