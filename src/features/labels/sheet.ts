import { defineSheet } from "#formats/table/define-sheet.ts";

/** Sample row of the template; no retailer has a PO with this number. */
const SAMPLES = {
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

/**
 * Strips a GS1 key of what users and scanners write around its digits: "(01)", "(00)", spaces, hyphens, an
 * apostrophe.
 */
const plainKey = (text: string): string =>
  /^'?\(?[\d\s().-]+$/.test(text)
    ? text.replace(/^'?\s*\((?:01|00)\)/, "").replaceAll(/['\s().-]/g, "")
    : text;

/** Columns of a label sheet in the template's order. A row is one carton or several identical ones. */
export const labelSheet = defineSheet({
  kind: "labels",
  words: { record: "label", records: "labels", receiver: "the label" },
  template: {
    version: "1",
    rules: [
      "One row is one carton and makes one label. With a number in Cartons, it makes that many identical labels.",
      "Rows of one PO, store, and ship-to with the same Carton Number are one carton: one label, one SSCC, quantities summed.",
      "We assign the SSCCs in order, with their check digits. Fill in the SSCC column only for cartons that you numbered yourself.",
      "Cartons that share a Pallet value also get one pallet label with its own SSCC.",
      "Nothing is printed, and no SSCC is used, while a row has an error.",
    ],
  },
  samples: SAMPLES,
  neverTotal: "description",
  fields: {
    poNumber: {
      header: "PO Number",
      type: "code",
      max: 30,
      required: true,
      synonyms:
        "po pono purchaseorder purchaseorderno purchaseordernumber ordernumber orderno custpo customerpo ponum",
      needed: "Yes",
      explanation: "The retailer's purchase order number, at most 30 characters. Example: 8841203.",
    },
    shipToName: {
      header: "Ship To Name",
      max: 35,
      width: 28,
      required: true,
      synonyms: "shipto consignee destination dcname",
      needed: "Yes",
      explanation: "Who receives the carton, at most 35 characters. Example: Hearth Supply DC 12.",
    },
    address1: {
      header: "Ship To Address 1",
      max: 35,
      width: 26,
      required: true,
      synonyms: "address address1 street shiptoaddr1 shiptoaddress shiptostreet addressline1",
      needed: "Yes",
      explanation: "Street and number, at most 35 characters. Example: 500 Commerce Dr.",
    },
    address2: {
      header: "Ship To Address 2",
      max: 35,
      synonyms: "suite address2 shiptoaddr2 addressline2",
      explanation: "Suite, dock, or building, at most 35 characters. Example: Dock 4.",
    },
    city: {
      header: "Ship To City",
      max: 30,
      required: true,
      synonyms: "city town",
      needed: "Yes",
      explanation: "At most 30 characters. Example: Reno.",
    },
    state: {
      header: "Ship To State",
      max: 30,
      synonyms: "state province st stateprovince shiptoprovince",
      needed: "Yes, in the US and Canada",
      explanation: "Two letters, or the full name. Example: NV.",
    },
    postalCode: {
      header: "Ship To Postal Code",
      type: "code",
      max: 10,
      required: true,
      synonyms: "zip zipcode postcode postal postalcode shiptozip shiptozipcode shiptopostcode",
      needed: "Yes",
      explanation:
        "US: five or nine digits. Canada: A1A 1A1. Elsewhere at most 9 characters. Example: 89506.",
    },
    country: {
      header: "Ship To Country",
      max: 60,
      synonyms: "country shiptocountrycode countrycode",
      explanation: "Two letters, three letters, or the English name. Blank: US. Example: CA.",
    },
    markFor: {
      header: "Mark For / Store",
      type: "code",
      max: 20,
      synonyms: "store storeno storenumber markfor finaldestination dcno markforstore",
      needed: "If your label profile requires it",
      explanation: "Number of the store or DC the carton is for, at most 20 characters. Example: 0412.",
    },
    markForName: {
      header: "Mark For Name",
      max: 35,
      synonyms: "storename",
      explanation: "Its name, at most 35 characters. Example: Reno North.",
    },
    carrier: {
      header: "Carrier",
      max: 25,
      required: true,
      synonyms: "shipvia scac carriername carriercode",
      needed: "Yes",
      explanation: "Name or SCAC, at most 25 characters. Example: UPS Ground.",
    },
    pro: {
      header: "PRO / Tracking",
      type: "code",
      max: 30,
      synonyms: "pro prono pronumber tracking trackingno trackingnumber",
      explanation: "PRO or tracking number, at most 30 characters. Example: 20447182.",
    },
    bol: {
      header: "BOL",
      type: "code",
      max: 30,
      synonyms: "bl bolno bolnumber billoflading",
      explanation: "Number of the bill of lading, at most 30 characters. Example: 1100583.",
    },
    department: {
      header: "Department",
      type: "code",
      max: 10,
      synonyms: "dept deptno departmentno departmentnumber",
      needed: "If your label profile requires it",
      explanation: "At most 10 characters. Example: 027.",
    },
    vendor: {
      header: "Vendor Number",
      type: "code",
      max: 15,
      synonyms: "supplierno suppliernumber vendorid vendorno vendor",
      needed: "If your label profile requires it",
      explanation: "Your number at the retailer, at most 15 characters. Example: 104416.",
    },
    item: {
      header: "SKU / Item",
      type: "code",
      max: 20,
      synonyms: "item itemnumber itemno dpci skuno sku",
      needed: "If your label profile requires it",
      explanation: "At most 20 characters; MIXED for a carton of several items. Example: 1004-118.",
    },
    gtin: {
      header: "UPC / GTIN",
      type: "code",
      rewrite: plainKey,
      max: 14,
      synonyms: "upc ean gtin upccode",
      explanation: "8, 12, 13, or 14 digits with the check digit. Example: 061414100038.",
    },
    model: {
      header: "Model / Style",
      type: "code",
      max: 25,
      synonyms: "mfgno style model stylenumber modelnumber",
      explanation: "At most 25 characters. Example: CH-16.",
    },
    description: {
      header: "Description",
      max: 40,
      width: 30,
      synonyms: "itemdescription desc productdescription",
      explanation: "At most 40 characters. Example: Claw Hammer 16 oz.",
    },
    qty: {
      header: "Qty In Carton",
      type: "decimal",
      required: true,
      synonyms: "qty units quantity unitsincarton qtypercarton",
      needed: "Yes",
      explanation: "Units in the carton: a number from 1 to 99,999,999. Example: 24.",
    },
    carton: {
      header: "Carton Number",
      type: "decimal",
      synonyms: "carton box cartonno boxnumber",
      explanation:
        "Position of the carton within its PO and store. Leave blank and we'll number them. Example: 1.",
    },
    cartonCount: {
      header: "Carton Count",
      type: "decimal",
      synonyms: "totalcartons of cartontotal",
      explanation:
        "Number of cartons in the PO and store, 1 to 9,999. Leave blank and we'll count them. Example: 48.",
    },
    cartons: {
      header: "Cartons",
      type: "decimal",
      synonyms: "labelqty labels nooflabels labelcount numberoflabels nolabels",
      explanation:
        "Makes this many identical labels, 1 to 1,000. Can't be combined with Carton Number or SSCC. Example: 1.",
    },
    sscc: {
      header: "SSCC",
      type: "code",
      rewrite: plainKey,
      max: 20,
      width: 24,
      synonyms: "sscc18 ucc128 serial ssccno",
      explanation:
        "Only if you assigned it yourself: 18 digits, or 20 that begin with 00. The cells must stay text, or Excel drops digits. Example: 006141410000000005.",
    },
    shipFrom: {
      header: "Ship From Code",
      type: "code",
      max: 12,
      synonyms: "warehouse shipfrom warehousecode",
      explanation: "Code of a ship-from address of your label settings. Blank: the first one. Example: OAK.",
    },
    weight: {
      header: "Weight (lb)",
      type: "decimal",
      synonyms: "weight weightlb weightlbs",
      explanation:
        "Weight of the carton, above 0 and at most 9,999. Enter it on all rows of a carton, or on one. Example: 18.5.",
    },
    shipDate: {
      header: "Ship Date",
      type: "date",
      synonyms: "shippingdate dateshipped shipon",
      explanation: "A date, at most a year away. Example: 11/24/2026.",
    },
    reference: {
      header: "Reference",
      type: "code",
      max: 30,
      synonyms: "ref notes",
      explanation: "For your own lists, at most 30 characters; not printed. Example: Week 12.",
    },
    trailer: {
      header: "Trailer",
      type: "code",
      max: 20,
      synonyms: "trailerno trailernumber trailerid equipment",
      explanation: "Number of the trailer, at most 20 characters. Example: T-4471.",
    },
    poType: {
      header: "PO Type",
      type: "code",
      max: 10,
      synonyms: "potype purchaseordertype ordertype",
      needed: "If your label profile requires it",
      explanation: "Type of the purchase order, at most 10 characters. Example: 0033.",
    },
    lot: {
      header: "Lot / Batch",
      type: "code",
      max: 20,
      synonyms: "lot batch lotnumber lotno lotcode batchnumber batchno",
      needed: "If your label profile requires it",
      explanation: "Lot of the goods, at most 20 characters, (10) in barcodes. Example: L24118.",
    },
    bestBefore: {
      header: "Best Before",
      type: "date",
      synonyms: "bestby bestbydate bestbeforedate bbd",
      explanation: "A date, (15) in barcodes. Example: 11/24/2027.",
    },
    expiry: {
      header: "Expiration Date",
      type: "date",
      synonyms: "expiration expiry expirydate expires useby usebydate expdate",
      explanation: "A date, (17) in barcodes. Example: 11/24/2027.",
    },
    itemSerial: {
      header: "Item Serial Number",
      type: "code",
      max: 20,
      synonyms: "serialnumber serialno itemserial itemserialno",
      explanation: "For a carton with one item, at most 20 characters, (21) in barcodes. Example: SN-100417.",
    },
    retailerData: {
      header: "Retailer Data",
      type: "code",
      max: 30,
      synonyms: "internaldata partnerdata ai91",
      explanation: "Data that the retailer asks for under (91), at most 30 characters. Example: R7731.",
    },
    pallet: {
      header: "Pallet",
      type: "code",
      max: 20,
      synonyms: "palletno palletnumber palletid",
      explanation: "Number or name of the pallet, at most 20 characters. Example: 3.",
    },
  },
});

export type Field = (typeof labelSheet.names)[number];

export const fieldHeader = (field: Field): string => labelSheet.fields[field].header;
