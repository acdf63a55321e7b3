import type * as cells from "#formats/table/cells.ts";
import type * as records from "#formats/table/records.ts";
import * as tables from "#formats/table/columns.ts";
import { defineSheet, type FieldRule } from "#formats/table/define-sheet.ts";
import type { Found } from "#formats/table/problem.ts";
import { plainEmails } from "#formats/text/emails.ts";
import { looseName } from "#integrations/intuit/loose-name.ts";
import { quoteText } from "#integrations/intuit/query-text.ts";
import { currencyCode, notACurrency, termsInDate } from "#features/invoices/workbook/rules-currency-names.ts";
import { billFields, shipFields } from "#features/invoices/workbook/rules-addresses.ts";
import { layouts } from "#features/invoices/workbook/layouts/layouts.ts";
import { invoiceSamples } from "#features/invoices/workbook/rules-samples.ts";
import * as questions from "#features/invoices/workbook/rules-questions.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import type { Workbook } from "#formats/xlsx/workbook.ts";

/**
 * The invoice sheet: columns of the template, in its order. Other headers come from QuickBooks' own import,
 * SaasAnt, Transaction Pro and Zed Axis; ambiguous ones ("total", "tax", "units") are left out.
 */
export const invoiceSheet = defineSheet({
  kind: "invoices",
  words: {
    record: "invoice",
    records: "invoices",
    key: "invoice number",
    receiver: "QuickBooks",
  },
  grouping: {
    key: "invoiceNo",
    fallbackKey: "group",
    starts: ["customer", "invoiceDate", "invoiceTime", "documentType"],
    alike: looseName,
  },
  requiredChoices: questions.requiredChoices,
  template: {
    version: "2",
    rules: [
      "One row is one line of an invoice. Rows with the same Invoice No become one invoice, in any order.",
      "Put values of the whole invoice (customer, dates, addresses …) on its first row. You can repeat them on its other rows if they're the same.",
      "An invoice is posted only if none of its rows has an error.",
    ],
  },
  samples: invoiceSamples,
  neverTotal: "item",
  lineBy: "item",
  headedBy: "customer",
  notTaken: {
    job: {
      headers: /^(?:customer)?(?:job|project|subcustomer)(?:name)?$/,
      hint: 'Invoices go to the customer itself. To bill one of its jobs, enter "Customer:Job".',
    },
  },
  oneForAll: {
    field: "item",
    amount: "amount",
    total: "invoiceTotal",
    question: "Which product or service should these lines use?",
  },
  severalSheets: true,
  ofEachRow: { shipping: "lineShipping", fee: "lineFee", discount: "lineDiscount" },
  undecided: questions.undecided,
  doubtful: questions.doubtful,
  layouts,
  // Only companies of the United States can be connected.
  currency: { field: "currency", usual: "USD" },
  rowMarks: questions.rowMarks,
  fields: {
    invoiceNo: {
      header: "Invoice No",
      type: "code",
      level: "key",
      max: 21,
      check: unsearchable,
      synonyms:
        "invoicenumber invoice invno docnumber documentnumber docno refnumber refno referencenumber num number transactionnumber invoicenum invoicenbr",
      needed: "Yes, or blank",
      explanation:
        "At most 21 characters. Blank: QuickBooks assigns the number, and a new invoice starts where the Customer or the Invoice Date changes.",
    },
    group: {
      header: "Group",
      type: "code",
      level: "key",
      max: 100,
      lookedUp: true,
      synonyms: "invoicegroup groupkey batchkey",
      explanation: "For rows without an Invoice No: rows with the same Group become one invoice.",
    },
    customer: {
      header: "Customer",
      max: 500,
      width: 34,
      required: true,
      lookedUp: true,
      synonyms:
        "customername customerfullname customerref customerrefname displayname client clientname contactname billingname customerjob customerproject",
      weakSynonyms:
        "name billto billtoname company companyname companybilling buyername buyer soldto soldtoname recipient",
      needed: "Yes, first row",
      explanation:
        "The customer's name as in QuickBooks; a sub-customer as Parent:Child. If the name isn't there, we'll ask.",
    },
    invoiceDate: {
      header: "Invoice Date",
      type: "date",
      required: true,
      synonyms: "date dateissued issuedate txndate docdate invdate",
      weakSynonyms:
        "transactiondate orderdate createdat created createdutc dateutc purchasedate saledate dateofissue invoiceissuedate",
      needed: "Yes, first row",
      explanation: "A date, for example 1/31/2026.",
    },
    invoiceTime: { header: "Invoice Time", type: "time", level: "key", offered: false },
    dueDate: {
      header: "Due Date",
      type: "date",
      whyUnread: termsInDate,
      synonyms: "duedate due paymentdue paymentduedate invoiceduedate dueon",
      explanation: "A date. Blank: QuickBooks calculates it from the terms.",
    },
    terms: {
      header: "Terms",
      max: 31,
      lookedUp: true,
      synonyms: "term salesterm salestermref salesterms paymentterms termsref",
      explanation: "Terms as in QuickBooks, for example Net 30.",
    },
    poNumber: {
      header: "PO Number",
      type: "code",
      max: 31,
      synonyms:
        "po pono purchaseorder purchaseorderno purchaseordernumber ponumber customerpo customerpono customerponumber ponum",
      explanation: "The customer's purchase order number, at most 31 characters.",
    },
    item: {
      header: "Item",
      level: "row",
      max: 500,
      width: 24,
      required: true,
      lookedUp: true,
      synonyms:
        "itemname lineitemname itemref itemproductservice productservice product service productorservice productservicename lineitem linesalesitemref salesitem",
      weakSynonyms:
        "sku itemsku itemcode itemno itemnumber productcode inventoryitemcode lineitemsku productsku productno partno partnumber",
      needed: "Yes, unless a line of text",
      explanation:
        "Name or SKU of the product or service as in QuickBooks; within a category as Category:Item. If the name isn't there, we'll ask.",
    },
    description: {
      header: "Description",
      level: "row",
      max: 4000,
      width: 36,
      synonyms:
        "itemdescription itemdesc details linedescription linedesc desc productservicedescription productdescription",
      weakSynonyms: "memodescription productname itemtitle",
      explanation: "At most 4,000 characters. A row with a Description only is a line of text.",
    },
    qty: {
      header: "Qty",
      type: "decimal",
      level: "row",
      synonyms:
        "quantity billablehours billablehrs billableqty billablequantity lineitemquantity itemquantity itemqty lineqty linequantity productservicequantity linesalesitemqty pcs pieces",
      weakSynonyms:
        "hours hrs quantitypurchased quantityordered qtyordered quantityrefund orderqty orderquantity",
      needed: "Two of Qty, Rate, Amount",
      explanation: "A number with at most five decimals.",
    },
    rate: {
      header: "Rate",
      type: "decimal",
      level: "row",
      synonyms:
        "price unitprice unitamount unitcost lineitemprice itemrate itemprice lineunitprice lineprice linerate salesprice priceeach productservicerate linesalesitemunitprice",
      weakSynonyms: "itemcost netprice hourlyrate ratehour soldfor",
      needed: "Two of Qty, Rate, Amount",
      explanation:
        "Price of one, with at most five decimals. Blank with a Qty: the price in QuickBooks, for a customer billed in your own currency.",
    },
    amount: {
      header: "Amount",
      type: "money",
      level: "row",
      required: { unless: ["qty", "rate"] },
      synonyms:
        "lineamount itemamount itemtotal linetotal extended extprice extendedprice extension extamount productserviceamount",
      weakSynonyms: "linesubtotal linevalue netamount extendedcost",
      needed: "Two of Qty, Rate, Amount",
      explanation: "Qty × Rate to the cent. Alone it is the amount of the line.",
    },
    serviceDate: {
      header: "Service Date",
      type: "date",
      level: "row",
      synonyms: "itemservicedate lineservicedate servicedon serviceon productservicedate dateofservice",
      explanation: "The day of the service.",
    },
    className: {
      header: "Class",
      level: "row",
      max: 500,
      lookedUp: true,
      synonyms: "classname classref lineclass itemclass lineclassref productserviceclass",
      explanation: "Class as in QuickBooks; a sub-class as Parent:Child.",
    },
    location: {
      header: "Location",
      max: 500,
      lookedUp: true,
      synonyms: "department departmentref locationref locationname departmentname",
      explanation: "Location as in QuickBooks.",
    },
    taxable: {
      header: "Taxable",
      type: "yesno",
      level: "row",
      synonyms:
        "itemtaxcode taxcode linetaxable salestaxcode linetaxcode salestaxcoderef linesalestaxcode linesalestaxcoderef productservicetaxable productservicetaxcode ustaxcode",
      explanation: "Y or N. Blank: not taxed, however the item is set in QuickBooks.",
    },
    shipVia: {
      header: "Ship Via",
      max: 31,
      synonyms: "shipmethod shipmethodname shipmethodref shippingmethod carrier shipvia",
      explanation: "How it is shipped, for example UPS; at most 31 characters.",
    },
    shipDate: {
      header: "Ship Date",
      type: "date",
      synonyms: "shippingdate shippeddate dateshipped shipon",
      explanation: "The day it was shipped.",
    },
    trackingNo: {
      header: "Tracking No",
      type: "code",
      max: 31,
      width: 24,
      synonyms: "tracking trackingnum trackingnumber trackno",
      explanation: "At most 31 characters. Tracking Service tracks UPS numbers.",
    },
    lineDiscount: {
      header: "Line Discount",
      type: "discount",
      level: "row",
      synonyms: "linediscountamount linediscountamt itemdiscount itemdiscountamount lineitemdiscount",
      explanation:
        "Subtracted from Qty × Rate of this row: an amount, or a percentage with its sign, such as 10%.",
    },
    lineDiscountPercent: {
      header: "Line Discount %",
      type: "percent",
      level: "row",
      offered: false,
      synonyms: "linediscountpercent linediscountrate itemdiscountpercent itemdiscountrate",
    },
    discount: {
      header: "Invoice Discount",
      type: "discount",
      synonyms: "invoicediscountamount orderdiscount orderdiscountamount",
      explanation:
        "Subtracted from the whole invoice: an amount, or a percentage with its sign, such as 10%.",
    },
    discountPercent: {
      header: "Invoice Discount %",
      type: "percent",
      offered: false,
      synonyms: "invoicediscountpercent invoicediscountrate orderdiscountpercent",
    },
    shipping: {
      header: "Shipping",
      type: "charge",
      synonyms:
        "shippingamount shippingcharge shippingcharges shippingcost shippingfee shippingprice shippingtotal shippinghandling shippingandhandling freight freightamount freightcharge freightcharges freightcost postage deliverycharge deliverycost deliveryfee shipamt shipamount",
      explanation: "What the customer pays for shipping this invoice.",
    },
    lineShipping: {
      header: "Shipping of each row",
      type: "charge",
      level: "row",
      offered: false,
      synonyms: "lineshipping itemshipping shippingperline shippingperitem",
    },
    fee: {
      header: "Fee",
      type: "charge",
      offered: false,
      synonyms: "handlingfee handlingcharge",
    },
    lineFee: {
      header: "Fee of each row",
      type: "charge",
      level: "row",
      offered: false,
      synonyms: "linefee itemfee feeperline feeperitem",
    },
    deposit: {
      header: "Deposit",
      type: "charge",
      synonyms: "depositamount invoicedeposit",
      explanation: "Paid in advance. It lowers the balance of the invoice if your company uses deposits.",
    },
    invoiceTotal: {
      header: "Invoice Total",
      type: "charge",
      control: true,
      offered: false,
      synonyms: "invoicetotalamount invoiceamount grandtotal ordertotal",
    },
    taxTotal: {
      header: "Sales Tax",
      type: "charge",
      control: true,
      level: "row",
      offered: false,
      synonyms: "salestaxamount salestaxtotal totaltax taxtotal invoicetax taxamount",
    },
    documentType: {
      header: "Document Type",
      max: 100,
      offered: false,
      synonyms: "doctype transactiontype txntype",
    },
    documentStatus: {
      header: "Document Status",
      max: 100,
      offered: false,
      synonyms: "docstatus invoicestatus transactionstatus txnstatus",
    },
    exchangeRate: {
      header: "Exchange Rate",
      type: "decimal",
      synonyms: "currencyrate fxrate conversionrate exchrate",
      explanation: "For a customer billed in another currency. Blank: the rate in QuickBooks.",
    },
    ...billFields,
    ...shipFields,
    email: {
      header: "Email",
      max: 100,
      rewrite: plainEmails,
      width: 26,
      synonyms: "billemail billtoemail emailto customeremail emailaddress billingemail",
      explanation: "Email address for the invoice, at most 100 characters. Uploading doesn't send anything.",
    },
    customerMemo: {
      header: "Customer Memo",
      max: 1000,
      width: 30,
      synonyms:
        "customermessage message msg customermsg messageoninvoice messagedisplayedoninvoice notetocustomer customernote customernotes",
      explanation: "Printed on the invoice, at most 1,000 characters.",
    },
    privateNote: {
      header: "Private Note",
      max: 4000,
      width: 30,
      synonyms:
        "memo privatememo statementmemo memoonstatement messageonstatement messagedisplayedonstatement internalnote note notes",
      explanation: "For your company only, at most 4,000 characters.",
    },
    currency: {
      header: "Currency",
      rewrite: currencyCode,
      check: notACurrency,
      offered: false,
      synonyms: "currencycode currencyref",
      explanation: "Must be the customer's currency in QuickBooks.",
    },
  },
});

export type Field = (typeof invoiceSheet.names)[number];

/** Finds the rule of a field. */
export const fieldRule = (field: Field): FieldRule => invoiceSheet.fields[field];

export const fieldHeader = (field: Field): string => fieldRule(field).header;

/**
 * Refuses a number that Intuit's query language cannot express: it would be sent without checking whether it
 * is taken.
 */
function unsearchable(text: string): Found | undefined {
  if (quoteText(text) !== null) return undefined;
  const character = [...text].find((letter) => quoteText(letter) === null) ?? "";
  return { code: "number_not_searchable", params: { character } };
}

/** Rows to turn into invoices. */
export type Table = tables.Table<Field>;
export type ReadRow = cells.ReadRow<Field>;
export type RowGroup = records.RowGroup<Field>;

/** Finds the invoice sheet in a workbook. @throws FileRefused if there is none */
export const findTable = (workbook: Workbook, chosen?: ColumnChoices): Table =>
  tables.findTable(invoiceSheet, workbook, chosen);
