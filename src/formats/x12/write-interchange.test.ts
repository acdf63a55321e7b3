import { expect, test } from "vitest";
import { NO_DETAILS } from "./parts.ts";
import { fileWith } from "./fixtures/envelope.ts";
import { NotWritable } from "./not-writable.ts";
import { writePurchaseOrder, type PurchaseOrder } from "./purchase-order.ts";
import { writeShipNotice, type ShipNotice } from "./ship-notice.ts";
import { DELIMITERS_4010, toWritable, type Envelope } from "./write-interchange.ts";
import { DEFAULT_DELIMITERS } from "./delimiters.ts";

const details = { ...NO_DETAILS, unused: [] };
const line = {
  ...details,
  number: "1",
  quantity: "2",
  unit: "EA",
  unitPrice: "12.50",
  priceBasis: "",
  ids: [],
};
const order: PurchaseOrder = {
  ...details,
  purpose: "00",
  type: "DS",
  number: "80001",
  releaseNumber: "",
  date: "2026-11-26",
  contract: "",
  lines: [{ ...line, ids: [{ qualifier: "SK", value: "1001  " }] }],
};

const write = (changes: Partial<PurchaseOrder> = {}, envelope: Partial<Envelope> = {}) =>
  Buffer.from(fileWith([writePurchaseOrder({ ...order, ...changes })], envelope)).toString();

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof NotWritable)) throw error;
    const { segment, element, value } = error.params;
    return [error.code, segment, element, value]
      .filter((each) => each !== undefined && each !== null)
      .join(" ");
  }
  return "";
}

test("an interchange is written with its counts, control numbers and padded header", () => {
  expect(write()).toBe(
    [
      "ISA*00*          *00*          *ZZ*SUPPLIER       *ZZ*RETAILER       *261126*0915*^*00406*000000017*0*P*>~",
      "GS*PO*SUPPLIER*RETAILER*20261126*0915*5*X*004060~",
      "ST*850*0001~",
      "BEG*00*DS*80001**20261126~",
      "PO1*1*2*EA*12.50**SK*1001~",
      "CTT*1~",
      "SE*5*0001~",
      "GE*1*5~",
      "IEA*1*000000017~",
      "",
    ].join("\n"),
  );
  const old = {
    version: "004010",
    delimiters: DELIMITERS_4010,
    isTest: true,
    wantsAcknowledgment: true,
    lineBreak: "" as const,
  };
  expect(write({}, old).slice(82, 106)).toBe("U*00401*000000017*1*T*>~");
  expect(write({}, old)).toBe(write({}, { ...old }));
});

test("a ship notice numbers its levels and counts them", () => {
  const item = {
    ...details,
    number: "1",
    ids: [{ qualifier: "SK", value: "1001" }],
    shipped: null,
    cartons: [],
  };
  const shipped = {
    number: "",
    quantity: "2",
    unit: "EA",
    shippedToDate: "",
    ordered: "",
    orderedUnit: "",
    status: "",
  };
  const carton = {
    ...details,
    marks: [{ qualifier: "CP", value: "1Z12345E0205271688", last: "" }],
    items: [{ ...item, shipped }],
  };
  const ordered = {
    ...details,
    number: "80001",
    releaseNumber: "",
    sequence: "",
    date: "",
    cartons: [carton],
    items: [],
  };
  const notice: ShipNotice = {
    purpose: "00",
    number: "S1",
    date: "2026-11-26",
    time: "1600",
    structure: "0001",
    transaction: "",
    reason: "",
    dates: [],
    shipment: {
      ...details,
      orders: [ordered],
    },
  };
  const written = (value: ShipNotice) =>
    writeShipNotice(value).segments.map((segment) => segment.join("*").replace(/\*+$/, ""));
  expect(written(notice)).toEqual([
    "BSN*00*S1*20261126*1600*0001",
    "HL*1**S*1",
    "HL*2*1*O*1",
    "PRF*80001",
    "HL*3*2*P*1",
    "MAN*CP*1Z12345E0205271688",
    "HL*4*3*I*0",
    "LIN*1*SK*1001",
    "SN1**2*EA",
    "CTT*4",
  ]);
  expect(refusal(() => writeShipNotice({ ...notice, structure: "0002" }))).toBe("code_not_valid HL 3 P");
});

test("data that would break the document is refused with its place", () => {
  const named = (number: string) => refusal(() => write({ number }));
  for (const value of ["8*1", "8~1", "8>1", "8^1", "8\n1", "8\u00001", "8\u0085", "8\ud800"])
    expect(named(value)).toBe(`character_not_valid BEG 3 ${value}`);
  expect(named("")).toBe("element_missing BEG 3 ");
  expect(named("9".repeat(23))).toBe(`too_long BEG 3 ${"9".repeat(23)}`);
  expect(refusal(() => write({ date: "2026-02-30" }))).toBe("date_not_valid 2026-02-30");
  expect(refusal(() => write({ lines: [] }))).toBe("segment_missing PO1");
  expect(refusal(() => write({ lines: [{ ...line, quantity: "1e3" }] }))).toBe("number_not_valid PO1 2 1e3");
  const party = {
    kind: "ST",
    name: "x",
    idQualifier: "",
    id: "",
    names: [],
    address: ["1", "2", "3", "4", "5"],
    city: "",
    state: "",
    postalCode: "",
    country: "",
    references: [],
    contacts: [],
  };
  expect(refusal(() => write({ parties: [party] }))).toBe("segment_too_often N3");
  const charge = {
    indicator: "C",
    code: "D240",
    agency: "",
    agencyCode: "",
    amountCents: 0.5,
    percentOf: "",
    percent: "",
    rate: "",
    handling: "",
    description: "",
  };
  expect(refusal(() => write({ charges: [charge] }))).toBe("number_not_valid 0.5");
});

test("an envelope that no reader would accept is refused", () => {
  const changed = (changes: Partial<Envelope>) => refusal(() => write({}, changes));
  expect(changed({ sender: "SIXTEEN LETTERS." })).toBe("interchange_header_value ISA 6 SIXTEEN LETTERS.");
  expect(changed({ receiver: "A*B" })).toBe("interchange_header_value ISA 8 A*B");
  expect(changed({ receiver: "Zoë" })).toBe("interchange_header_value ISA 8 Zoë");
  expect(changed({ time: "2560" })).toBe("time_not_valid 2560");
  expect(changed({ date: "" })).toMatch(/^interchange_header_value ISA 9/);
  expect(changed({ controlNumber: 1_000_000_000 })).toBe("number_not_valid ISA 1000000000");
  expect(changed({ version: "4010" })).toBe("group_header_value GS 8 4010");
  expect(changed({ delimiters: { ...DEFAULT_DELIMITERS, component: "*" } })).toBe("delimiters_not_usable *");
  expect(changed({ delimiters: { ...DEFAULT_DELIMITERS, element: "\n" } })).toBe("delimiters_not_usable \n");
  const body = writePurchaseOrder(order);
  expect(refusal(() => fileWith([body, { type: "860", segments: [] }]))).toBe("set_not_of_group ST 1 860");
  expect(refusal(() => fileWith([]))).toBe("set_not_of_group ST 1 ");
});

test("a text is made writable by replacing what cannot be written with blanks", () => {
  expect(toWritable(" Tom & Ann*s > 2^3 ~\r\n🙂\u0085\ud800 ", DEFAULT_DELIMITERS)).toBe(
    "Tom & Ann s   2 3    🙂",
  );
});
