import type { Audited } from "#features/audit/index.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { acceptDocuments } from "#features/orders/intake/accept-documents.ts";
import { run as readOrders } from "#features/orders/intake/read-orders.ts";
import { DEFAULT_DELIMITERS } from "#formats/x12/delimiters.ts";
import { NO_DETAILS } from "#formats/x12/parts.ts";
import { writePurchaseOrder, type PurchaseOrder } from "#formats/x12/purchase-order.ts";
import { writeInterchange } from "#formats/x12/write-interchange.ts";
import { DAY_MS } from "#platform/time.ts";

/** Fictional orders: PO number, consumer's name, street, city, state, ZIP code, days until it must ship, and lines. */
const ORDERS: readonly [
  string,
  string,
  string,
  string,
  string,
  string,
  number,
  readonly [string, string, number][],
][] = [
  [
    "8841203",
    "Dana Whitfield",
    "1140 Everett St",
    "Portland",
    "OR",
    "97209",
    0,
    [
      ["1001234", "Claw hammer, 16 oz", 2],
      ["1001240", "Tape measure, 25 ft", 1],
    ],
  ],
  [
    "8841219",
    "Luis Ortega",
    "802 Speedway Blvd",
    "Tucson",
    "AZ",
    "85719",
    0,
    [
      ["1001251", "Cordless drill, 18 V", 1],
      ["1001252", "Drill bits, 21 pieces", 1],
    ],
  ],
  ["8841224", "June Park", "61 Bond St", "Bend", "OR", "97701", 2, [["1001308", "Folding workbench", 1]]],
  [
    "8841211",
    "Reese Tran",
    "415 Idaho St",
    "Boise",
    "ID",
    "83702",
    0,
    [["1001240", "Tape measure, 25 ft", 4]],
  ],
  ["8841207", "Noor Haddad", "1140 Elm Strt", "Fargo", "ND", "58102", 0, [["1001261", "Tool bag, 18 in", 1]]],
  [
    "8841215",
    "Kim Bauer",
    "12 Main Street",
    "Reno",
    "NV",
    "89506",
    1,
    [
      ["1001234", "Claw hammer, 16 oz", 1],
      ["1001270", "Level, 48 in", 1],
      ["1001271", "Chalk line", 2],
    ],
  ],
  [
    "8841230",
    "Ana Brooks",
    "77 Cherry St",
    "Macon",
    "GA",
    "31201",
    3,
    [
      ["1001308", "Folding workbench", 1],
      ["1001251", "Cordless drill, 18 V", 1],
    ],
  ],
];

/** Prices that the retailer pays, in dollars. */
const PRICES: Readonly<Record<string, string>> = {
  "1001234": "11.40",
  "1001240": "6.85",
  "1001251": "74.50",
  "1001252": "12.25",
  "1001261": "23.90",
  "1001270": "18.75",
  "1001271": "4.60",
  "1001308": "59.00",
};

/** Adds fictional orders to a demo company by importing an X12 file, as if a retailer had sent it. */
export async function addDemoOrders(ctx: OrdersCtx & Audited, realmId: string): Promise<void> {
  const now = ctx.clock.now();
  const day = (ahead: number) => new Date(now.getTime() + ahead * DAY_MS).toISOString().slice(0, 10);
  const sets = ORDERS.map(([number, name, street, city, state, postalCode, shipIn, lines], at) => {
    const order: PurchaseOrder = {
      ...NO_DETAILS,
      unused: [],
      purpose: "00",
      type: "DS",
      number,
      releaseNumber: "",
      date: day(-1),
      contract: "",
      references: [
        { qualifier: "CO", value: `W${number}`, description: "" },
        // The retailer doesn't pay an invoice without these two.
        { qualifier: "ST", value: "0121", description: "" },
        { qualifier: "IA", value: "60012345", description: "" },
      ],
      dates: [{ qualifier: "010", date: day(shipIn), time: "", timeCode: "", periodFormat: "", period: "" }],
      routings: [
        {
          sequence: "",
          idQualifier: "2",
          id: "UPSN",
          transport: "",
          routing: "UPSN_CG",
          status: "",
          serviceLevel: "",
        },
      ],
      parties: [
        {
          kind: "ST",
          name,
          idQualifier: "",
          id: "",
          names: [],
          address: [street],
          city,
          state,
          postalCode,
          country: "US",
          references: [],
          contacts: [],
        },
      ],
      lines: lines.map(([sku, text, quantity], line) => ({
        ...NO_DETAILS,
        unused: [],
        number: String(line + 1),
        quantity: String(quantity),
        unit: "EA",
        unitPrice: PRICES[sku] ?? "",
        priceBasis: "",
        ids: [
          { qualifier: "SK", value: sku },
          { qualifier: "VN", value: `AT-${sku.slice(-3)}` },
        ],
        descriptions: [{ kind: "F", characteristic: "", code: "", text }],
      })),
    };
    return { controlNumber: String(at + 1).padStart(4, "0"), body: writePurchaseOrder(order) };
  });
  const bytes = writeInterchange(
    {
      senderQualifier: "ZZ",
      sender: "RETAILER",
      receiverQualifier: "ZZ",
      receiver: "SUPPLIER",
      groupSender: "",
      groupReceiver: "",
      version: "004060",
      date: day(0),
      time: "0600",
      controlNumber: 1,
      isTest: true,
      wantsAcknowledgment: false,
      delimiters: DEFAULT_DELIMITERS,
      lineBreak: "\n",
    },
    [{ controlNumber: 1, sets }],
  );
  const file = {
    realmId,
    channel: "file",
    fileName: "demo-orders.edi",
    bytes: Buffer.from(bytes),
    by: "demo",
  } as const;
  await acceptDocuments(
    ctx,
    file,
    readOrders(bytes, {
      now: now.getTime(),
      partners: ctx.partners,
      fileName: file.fileName,
      chosen: new Map(),
      dateOrder: null,
      cells: [],
    }),
  );
}
