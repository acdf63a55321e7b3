/** The template's sample row; no retailer has a PO of this number. */
export const labelSamples = {
  field: "poNumber",
  value: "SAMPLE (delete this row)",
  rows: [
    {
      shipToName: "Hearth Supply DC 12",
      address1: "500 Commerce Dr",
      city: "Reno",
      state: "NV",
      postalCode: "89506",
      country: "US",
      markFor: "0412",
      carrier: "UPS Ground",
      pro: "20447182",
      bol: "1100583",
      department: "027",
      item: "1004-118",
      description: "Claw Hammer 16 oz",
      qty: 24,
      cartons: 1,
    },
  ],
} as const;
