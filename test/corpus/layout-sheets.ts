/** An order of a shop or a client, in own values. */
type Line = { item: string; qty: number; rate: number };
type Order = {
  number: string;
  customer: string;
  day: string;
  lines: Line[];
  shipping: number;
  discount: number;
  /** Whether the file says that it isn't billed. */
  isVoid: boolean;
};

const CUSTOMERS = ["Cool Cars", "Red Rock Diner", "Mark Cho", "Oak Anchor"];
const ITEMS = ["Claw Hammer", "Tape Measure", "Work Gloves", "Wood Glue", "Design work"];

/** Fifteen orders of two lines: thirty rows. The fifth and the twelfth are not billed. */
const ORDERS: readonly Order[] = Array.from({ length: 15 }, (_, at) => ({
  number: `${2_101 + at}`,
  customer: CUSTOMERS[at % 4] ?? "",
  day: `2026-10-${String(at + 13)}`,
  lines: [0, 1].map((line) => ({
    item: ITEMS[(at + line) % 5] ?? "",
    qty: 1 + ((at + line) % 3),
    rate: [19.95, 14.5, 12.4, 7.25, 60][(at + 2 * line) % 5] ?? 0,
  })),
  shipping: at % 3 === 0 ? 6 : 0,
  discount: at % 4 === 0 ? 2.5 : 0,
  isVoid: at === 4 || at === 11,
}));

type Cells = Record<string, string | number>;

type Parts = {
  /** Whether shipping and discounts are in the file. */
  hasCharges: boolean;
  headers: string;
  rows: (order: Order, sums: { gross: number; total: number }) => Cells[];
};

const money = (value: number) => value.toFixed(2);
const cents = (value: number) => Math.round(value * 100);
const sumLines = ({ lines }: Order) => lines.reduce((sum, { qty, rate }) => sum + cents(qty * rate), 0) / 100;

const facts = (line: Line, at: number, of: (line: Line) => Cells, first: Cells): Cells => ({
  ...(at === 0 ? first : {}),
  ...of(line),
});

/** How each program writes them; the headers after its public column lists. */
const WRITTEN: Readonly<Record<string, Parts>> = {
  shopify: {
    hasCharges: true,
    headers:
      "Name|Email|Financial Status|Paid at|Fulfillment Status|Fulfilled at|Accepts Marketing|Currency|Subtotal|Shipping|Taxes|Total|Discount Code|Discount Amount|Shipping Method|Created at|Lineitem quantity|Lineitem name|Lineitem price|Lineitem compare at price|Lineitem sku|Lineitem requires shipping|Lineitem taxable|Lineitem fulfillment status|Billing Name|Billing Street|Billing Address1|Billing City|Billing Zip|Billing Province|Billing Country|Notes|Cancelled at|Payment Method|Refunded Amount|Vendor|Outstanding Balance|Id|Tags|Risk Level|Source|Lineitem discount",
    rows: (order, { gross, total }) =>
      order.lines.map((line, at) => ({
        ...facts(
          line,
          at,
          ({ item, qty, rate }) => ({
            Name: `#${order.number}`,
            "Created at": `${order.day} 09:12:44 -0500`,
            "Lineitem quantity": qty,
            "Lineitem name": item,
            "Lineitem price": money(rate),
            "Lineitem discount": "0.00",
          }),
          {
            "Financial Status": order.isVoid ? "voided" : "paid",
            "Cancelled at": order.isVoid ? `${order.day} 10:00:00 -0500` : "",
            "Billing Name": order.customer,
            Currency: "USD",
            Subtotal: money(gross - order.discount),
            Shipping: money(order.shipping),
            Taxes: "0.00",
            Total: money(total),
            "Discount Amount": money(order.discount),
            "Refunded Amount": "0.00",
            "Outstanding Balance": "0.00",
            Id: `74109914${order.number}`,
          },
        ),
      })),
  },
  woocommerce: {
    hasCharges: true,
    headers:
      "Order Number|Order Status|Order Date|Customer Note|First Name (Billing)|Last Name (Billing)|Company (Billing)|Address 1&2 (Billing)|City (Billing)|State Code (Billing)|Postcode (Billing)|Country Code (Billing)|Email (Billing)|Phone (Billing)|Payment Method Title|Cart Discount Amount|Order Subtotal Amount|Shipping Method Title|Order Shipping Amount|Order Refund Amount|Order Total Amount|Order Total Tax Amount|SKU|Item #|Item Name|Quantity (- Refund)|Item Cost|Coupon Code|Discount Amount|Discount Amount Tax",
    rows: (order, { gross, total }) =>
      order.lines.map(({ item, qty, rate }, at) => ({
        "Order Number": order.number,
        "Order Status": order.isVoid ? "Cancelled" : "Completed",
        "Order Date": `${order.day} 09:12`,
        "First Name (Billing)": order.customer.split(" ")[0] ?? "",
        "Last Name (Billing)": order.customer.split(" ").slice(1).join(" "),
        "Cart Discount Amount": money(order.discount),
        "Order Subtotal Amount": money(gross),
        "Order Shipping Amount": money(order.shipping),
        "Order Refund Amount": 0,
        "Order Total Amount": money(total),
        "Order Total Tax Amount": 0,
        "Item #": at + 1,
        "Item Name": item,
        "Quantity (- Refund)": qty,
        "Item Cost": rate,
        "Discount Amount": 0,
      })),
  },
  amazon: {
    hasCharges: true,
    headers:
      "order-id|order-item-id|purchase-date|payments-date|buyer-email|buyer-name|buyer-phone-number|sku|product-name|quantity-purchased|currency|item-price|item-tax|shipping-price|shipping-tax|ship-service-level|recipient-name|ship-address-1|ship-city|ship-state|ship-postal-code|ship-country|item-promotion-discount|ship-promotion-discount|order-status",
    rows: (order) =>
      order.lines.map(({ item, qty, rate }, at) => ({
        "order-id": `111-0002233-${order.number}`,
        "order-item-id": `9${order.number}${at}`,
        "purchase-date": `${order.day}T17:12:44+00:00`,
        "buyer-name": order.customer,
        "product-name": item,
        "quantity-purchased": qty,
        currency: "USD",
        "item-price": money(qty * rate),
        "item-tax": "0.00",
        "shipping-price": money(at === 0 ? order.shipping : 0),
        "shipping-tax": "0.00",
        "item-promotion-discount": money(at === 1 ? -order.discount : 0),
        "ship-promotion-discount": "0.00",
        "order-status": order.isVoid ? "Cancelled" : "Shipped",
      })),
  },
  square: {
    hasCharges: false,
    headers:
      "Date|Time|Time Zone|Category|Item|Qty|Price Point Name|SKU|Modifiers Applied|Gross Sales|Discounts|Net Sales|Tax|Transaction ID|Payment ID|Device Name|Notes|Details|Event Type|Location|Dining Option|Customer ID|Customer Name|Customer Reference ID|Unit|Count|Itemization Type",
    rows: (order) =>
      order.lines.map(({ item, qty, rate }) => ({
        Date: `10/${order.day.slice(-2)}/26`,
        Time: "9:12:44",
        Item: item,
        Qty: qty,
        "Gross Sales": `$${money(qty * rate)}`,
        Discounts: "$0.00",
        "Net Sales": `$${money(qty * rate)}`,
        Tax: "$0.00",
        "Transaction ID": `sq7x${order.number}A`,
        "Payment ID": `pay${order.number}B`,
        "Event Type": order.isVoid ? "Refund" : "Payment",
        "Customer Name": order.customer,
        Unit: "ea",
        Count: qty,
      })),
  },
  zoho: {
    hasCharges: true,
    headers:
      "Invoice Date|Invoice ID|Invoice Number|Invoice Status|Customer Name|Customer ID|Due Date|PurchaseOrder|Currency Code|Exchange Rate|Discount Type|Is Discount Before Tax|Entity Discount Percent|Entity Discount Amount|Item Name|Item Desc|Quantity|Usage unit|Item Price|Discount|Discount Amount|Item Total|Item Tax|Item Tax %|Item Tax Amount|Shipping Charge|Adjustment|Adjustment Description|SubTotal|Total|Balance|Sales person|Notes|Terms & Conditions",
    rows: (order, { gross, total }) =>
      order.lines.map(({ item, qty, rate }, at) => ({
        "Invoice Date": order.day,
        "Invoice ID": `3000000${order.number}`,
        "Invoice Number": `INV-${order.number}`,
        "Invoice Status": order.isVoid ? "Void" : "Sent",
        "Customer Name": order.customer,
        "Currency Code": "USD",
        "Exchange Rate": 1,
        "Item Name": item,
        Quantity: qty,
        "Item Price": money(rate),
        "Discount Amount": money(at === 0 ? order.discount : 0),
        "Item Total": money(cents(qty * rate) / 100 - (at === 0 ? order.discount : 0)),
        "Shipping Charge": money(order.shipping),
        SubTotal: money(gross - order.discount),
        Total: money(total),
        Balance: money(total),
      })),
  },
  freshbooks: {
    hasCharges: false,
    headers:
      "Client Name|Invoice #|Date Issued|Invoice Status|Date Paid|Item Name|Item Description|Rate|Quantity|Discount Percentage|Line Subtotal|Tax 1 Type|Tax 1 Amount|Tax 2 Type|Tax 2 Amount|Line Total|Currency",
    rows: (order) =>
      order.lines.map(({ item, qty, rate }) => ({
        "Client Name": order.customer,
        "Invoice #": order.number,
        "Date Issued": order.day,
        "Invoice Status": order.isVoid ? "draft" : "sent",
        "Item Name": item,
        Rate: money(rate),
        Quantity: qty,
        "Discount Percentage": 0,
        "Line Subtotal": money(qty * rate),
        "Tax 1 Amount": 0,
        "Line Total": money(qty * rate),
        Currency: "USD",
      })),
  },
  xero: {
    hasCharges: false,
    headers:
      "ContactName|EmailAddress|POAddressLine1|POCity|InvoiceNumber|Reference|InvoiceDate|DueDate|Total|TaxTotal|InvoiceAmountPaid|InvoiceAmountDue|InventoryItemCode|Description|Quantity|UnitAmount|Discount|LineAmount|AccountCode|TaxType|TaxAmount|Currency|Type|Status",
    rows: (order, { gross }) =>
      order.lines.map(({ item, qty, rate }) => ({
        ContactName: order.customer,
        InvoiceNumber: `INV-${order.number}`,
        InvoiceDate: order.day,
        DueDate: "2026-12-20",
        Total: money(gross),
        TaxTotal: 0,
        InvoiceAmountDue: money(gross),
        InventoryItemCode: item,
        Quantity: qty,
        UnitAmount: rate,
        Discount: 0,
        LineAmount: money(qty * rate),
        AccountCode: 200,
        TaxAmount: 0,
        Currency: "USD",
        Type: "Sales invoice",
        Status: order.isVoid ? "Voided" : "Awaiting Payment",
      })),
  },
  harvest: {
    hasCharges: false,
    headers:
      "Date|Client|Project|Project Code|Task|Notes|Hours|Billable?|Invoiced?|Approved?|First Name|Last Name|Roles|Employee?|Billable Rate|Billable Amount|Cost Rate|Cost Amount|Currency|External Reference URL",
    rows: (order) =>
      order.lines.map(({ item, qty, rate }) => ({
        Date: order.day,
        Client: order.customer,
        Project: "Site",
        Task: item,
        Hours: qty,
        "Billable?": order.isVoid ? "No" : "Yes",
        "Invoiced?": "No",
        "First Name": "Ann",
        "Last Name": "Lee",
        "Billable Rate": rate,
        "Billable Amount": money(qty * rate),
        "Cost Rate": 30,
        "Cost Amount": 30 * qty,
        Currency: "United States Dollar - USD",
      })),
  },
  toggl: {
    hasCharges: false,
    headers:
      "User|Email|Client|Project|Task|Description|Billable|Start date|Start time|End date|End time|Duration|Tags|Amount (USD)",
    rows: (order) =>
      order.lines.map(({ item, qty, rate }) => ({
        User: "Ann Lee",
        Email: "ann@acme.example",
        Client: order.customer,
        Project: item,
        Billable: order.isVoid ? "No" : "Yes",
        "Start date": order.day,
        "Start time": "09:12:44",
        "End date": order.day,
        Duration: `0${qty}:00:00`,
        "Amount (USD)": money(qty * rate),
      })),
  },
  jobber: {
    hasCharges: false,
    headers:
      "Invoice #|Client name|Client email|Subject|Created date|Issued date|Due date|Status|Job #s|Billing street|Billing city|Billing province|Billing ZIP code|Pre-tax total ($)|Tax amount ($)|Total ($)|Balance ($)",
    rows: (order, { gross }) => [
      {
        "Invoice #": order.number,
        "Client name": order.customer,
        "Created date": order.day,
        "Issued date": order.day,
        Status: order.isVoid ? "Draft" : "Awaiting payment",
        "Job #s": 7,
        "Pre-tax total ($)": money(gross),
        "Tax amount ($)": "0.00",
        "Total ($)": money(gross),
        "Balance ($)": money(gross),
      },
    ],
  },
};

/** Jobber has a row for each invoice: two of each, with numbers of their own. */
const ordersFor = (name: string): readonly Order[] =>
  name === "jobber" ? ORDERS.flatMap((order) => [order, { ...order, number: `${order.number}B` }]) : ORDERS;

/**
 * An export of thirty rows, and the cents that its billed orders come to.
 * @param rename another name for a header, null to leave its column out
 */
export function makeLayoutSheet(
  name: string,
  rename: (header: string) => string | null = (header) => header,
) {
  const parts = WRITTEN[name];
  if (!parts) throw new Error(`No export of ${name}.`);
  const headers = parts.headers.split("|");
  const kept = headers.flatMap((header) => {
    const written = rename(header);
    return written === null ? [] : [{ header, written }];
  });
  const totals = ordersFor(name).map((order) => {
    const gross = sumLines(order);
    return { order, gross, total: gross + (parts.hasCharges ? order.shipping - order.discount : 0) };
  });
  const rows = totals.flatMap(({ order, ...sums }) => parts.rows(order, sums));
  const lines = [
    kept.map(({ written }) => written),
    ...rows.map((row) => kept.map(({ header }) => String(row[header] ?? ""))),
  ];
  const billed = totals.filter(({ order }) => !order.isVoid);
  return {
    headers,
    rows: rows.length,
    fileName: `${name}.csv`,
    bytes: Buffer.from(lines.map((line) => line.join()).join("\n")),
    cents: billed.reduce((sum, { total }) => sum + cents(total), 0),
  };
}
