import { defineSheet, type FieldRule } from "#formats/table/define-sheet.ts";
import type { Found } from "#formats/table/problem.ts";
import { looseName } from "#integrations/intuit/loose-name.ts";
import { quoteText } from "#integrations/intuit/query-text.ts";
import { billFields, shipFields } from "#features/invoices/workbook/rules-addresses.ts";
import { invoiceSamples } from "#features/invoices/workbook/rules-samples.ts";

/**
 * The sheet of invoices: the columns of the template, in its order. Names that other importers give them are of the
 * import of QuickBooks itself, SaasAnt, Transaction Pro and Zed Axis; those that could mean another figure ("total",
 * "tax", "units") are left out.
 */
export const invoiceSheet = defineSheet({
  kind: "invoices",
  words: {
    record: "invoice",
    records: "invoices",
    key: "invoice number",
    receiver: "QuickBooks",
    notTaken: {
      job: 'Invoices go to the customer itself: write "Customer:Job" where one of its jobs is meant.',
      money: "Money in it is not on the invoices: give it lines of its own, with an Item.",
      tax: "QuickBooks works out the tax itself.",
    },
  },
  grouping: {
    key: "invoiceNo",
    fallbackKey: "group",
    starts: ["customer", "invoiceDate"],
    alike: looseName,
    maybeKey:
      "no nr id ref reference invoiceid invoiceref doc document docid documentid voucher voucherno vchno billno billnumber orderno ordernumber receiptno salesno txnno txnid txnnumber transactionno transactionid",
  },
  template: {
    version: "2",
    rules: [
      "One row is one line of an invoice. Rows with the same Invoice No become one invoice, in any order.",
      "Values of the whole invoice (customer, dates, addresses …) go on its first row; repeating them is fine, different ones are an error.",
      "Nothing of an invoice is posted while one of its rows has an error.",
    ],
  },
  samples: invoiceSamples,
  neverTotal: "item",
  notTaken: [
    { name: "job", headers: /^(?:customer)?(?:job|project|subcustomer)(?:name)?$/ },
    {
      name: "money",
      headers:
        /^(?:line|item|invoice|order|total)?(?:discount|shipping|freight|handling|postage|surcharge|deposit|tip)(?:amount|amt|costs?|charges?|fees?|total|price|percent|rate)?$/,
    },
    {
      name: "tax",
      headers: /^(?:line|item|invoice|sales|total)*(?:tax|vat|gst|hst)(?:amount|amt|rate|percent|total)?$/,
    },
  ],
  fields: {
    invoiceNo: {
      header: "Invoice No",
      type: "code",
      level: "key",
      max: 21,
      check: unsearchable,
      synonyms:
        "invoicenumber invoice invno docnumber documentnumber docno refnumber refno referencenumber num number transactionnumber invoicenum invoicenbr",
      explanation: [
        "Yes, or blank",
        "At most 21 characters. Blank: QuickBooks gives the number, and a new invoice starts where the Customer or the Invoice Date changes.",
      ],
    },
    group: {
      header: "Group",
      type: "code",
      level: "key",
      max: 100,
      lookedUp: true,
      synonyms: "invoicegroup groupkey batchkey",
      explanation: [
        "No",
        "Puts rows without an Invoice No together: rows with the same Group become one invoice.",
      ],
    },
    customer: {
      header: "Customer",
      type: "text",
      level: "record",
      max: 500,
      width: 34,
      required: true,
      lookedUp: true,
      synonyms:
        "customername customerfullname customerref customerrefname displayname client clientname billtoname name customerjob customerproject",
      explanation: [
        "Yes, first row",
        "The customer's name as in QuickBooks; a sub-customer as Parent:Child. Customers are never created.",
      ],
    },
    invoiceDate: {
      header: "Invoice Date",
      type: "date",
      level: "record",
      required: true,
      synonyms: "date txndate transactiondate docdate invdate",
      explanation: ["Yes, first row", "A date, for example 2026-01-31."],
    },
    dueDate: {
      header: "Due Date",
      type: "date",
      level: "record",
      synonyms: "duedate due paymentdue paymentduedate invoiceduedate dueon",
      explanation: ["No", "A date. Blank: QuickBooks works it out from the terms."],
    },
    terms: {
      header: "Terms",
      type: "text",
      level: "record",
      max: 31,
      lookedUp: true,
      synonyms: "term salesterm salestermref salesterms paymentterms termsref",
      explanation: ["No", "Terms as in QuickBooks, for example Net 30."],
    },
    poNumber: {
      header: "PO Number",
      type: "code",
      level: "record",
      max: 31,
      synonyms:
        "po pono purchaseorder purchaseorderno purchaseordernumber ponumber customerpo customerpono customerponumber ponum",
      explanation: ["No", "The customer's purchase order number, at most 31 characters."],
    },
    item: {
      header: "Item",
      type: "text",
      level: "row",
      max: 500,
      width: 24,
      required: true,
      lookedUp: true,
      synonyms:
        "itemname itemref itemproductservice productservice product service productorservice productservicename sku itemsku lineitem linesalesitemref salesitem itemcode itemno itemnumber",
      explanation: [
        "Yes, unless a line of text",
        "Name or SKU of the product or service as in QuickBooks; within a category as Category:Item. Items are never created.",
      ],
    },
    description: {
      header: "Description",
      type: "text",
      level: "row",
      max: 4000,
      width: 36,
      synonyms: "itemdescription linedescription linedesc desc productservicedescription productdescription",
      explanation: ["No", "At most 4,000 characters. A row with a Description only is a line of text."],
    },
    qty: {
      header: "Qty",
      type: "decimal",
      level: "row",
      synonyms: "quantity itemquantity itemqty lineqty linequantity productservicequantity linesalesitemqty",
      explanation: ["Two of Qty, Rate, Amount", "A number with at most five decimals."],
    },
    rate: {
      header: "Rate",
      type: "decimal",
      level: "row",
      synonyms:
        "price unitprice itemrate itemprice lineunitprice lineprice linerate salesprice priceeach productservicerate linesalesitemunitprice",
      explanation: [
        "Two of Qty, Rate, Amount",
        "Price of one, with at most five decimals. Blank with a Qty: the price in QuickBooks.",
      ],
    },
    amount: {
      header: "Amount",
      type: "money",
      level: "row",
      required: { unless: ["qty", "rate"] },
      synonyms: "lineamount itemamount linetotal extendedprice extension extamount productserviceamount",
      explanation: [
        "Two of Qty, Rate, Amount",
        "Qty × Rate to the cent. Alone it is the amount of the line.",
      ],
    },
    serviceDate: {
      header: "Service Date",
      type: "date",
      level: "row",
      synonyms: "itemservicedate lineservicedate servicedon serviceon productservicedate dateofservice",
      explanation: ["No", "A date."],
    },
    className: {
      header: "Class",
      type: "text",
      level: "row",
      max: 500,
      lookedUp: true,
      synonyms: "classname classref lineclass itemclass lineclassref productserviceclass",
      explanation: ["No", "Class as in QuickBooks; a sub-class as Parent:Child."],
    },
    location: {
      header: "Location",
      type: "text",
      level: "record",
      max: 500,
      lookedUp: true,
      synonyms: "department departmentref locationref locationname departmentname",
      explanation: ["No", "Location as in QuickBooks."],
    },
    taxable: {
      header: "Taxable",
      type: "yesno",
      level: "row",
      synonyms:
        "itemtaxcode taxcode linetaxable salestaxcode linetaxcode salestaxcoderef linesalestaxcode linesalestaxcoderef productservicetaxable productservicetaxcode ustaxcode",
      explanation: ["No", "Y or N. Blank: as the item is set in QuickBooks."],
    },
    shipVia: {
      header: "Ship Via",
      type: "text",
      level: "record",
      max: 31,
      synonyms: "shipmethod shipmethodname shipmethodref shippingmethod carrier shipvia",
      explanation: ["No", "How it is shipped, for example UPS; at most 31 characters."],
    },
    shipDate: {
      header: "Ship Date",
      type: "date",
      level: "record",
      synonyms: "shippingdate shippeddate dateshipped shipon",
      explanation: ["No", "A date."],
    },
    trackingNo: {
      header: "Tracking No",
      type: "code",
      level: "record",
      max: 31,
      width: 24,
      synonyms: "tracking trackingnum trackingnumber trackno",
      explanation: ["No", "At most 31 characters. UPS numbers are followed by the Tracking Service."],
    },
    ...billFields,
    ...shipFields,
    email: {
      header: "Email",
      type: "text",
      level: "record",
      max: 100,
      width: 26,
      synonyms: "billemail billtoemail emailto customeremail emailaddress billingemail",
      explanation: [
        "No",
        "Address the invoice may be sent to; at most 100 characters. Nothing is sent by uploading.",
      ],
    },
    customerMemo: {
      header: "Customer Memo",
      type: "text",
      level: "record",
      max: 1000,
      width: 30,
      synonyms:
        "customermessage message msg customermsg messageoninvoice messagedisplayedoninvoice notetocustomer customernote customernotes",
      explanation: ["No", "Printed on the invoice, at most 1,000 characters."],
    },
    privateNote: {
      header: "Private Note",
      type: "text",
      level: "record",
      max: 4000,
      width: 30,
      synonyms:
        "memo privatememo statementmemo memoonstatement messageonstatement messagedisplayedonstatement internalnote note notes",
      explanation: ["No", "For your company only, at most 4,000 characters."],
    },
    currency: {
      header: "Currency",
      type: "code",
      level: "record",
      max: 3,
      offered: false,
      synonyms: "currencycode currencyref",
      explanation: ["No", "Must be the customer's currency in QuickBooks."],
    },
  },
});

export type Field = (typeof invoiceSheet.names)[number];

/** A field of the sheet, and its rule. */
export const ruleOf = (field: Field): FieldRule => invoiceSheet.fields[field];

export const fieldHeader = (field: Field): string => ruleOf(field).header;

/** A number that Intuit's query language cannot express would be sent without a look whether it is taken. */
function unsearchable(text: string): Found | undefined {
  const character = [...text].find((one) => quoteText(one) === null);
  return character === undefined ? undefined : { code: "number_not_searchable", params: { character } };
}
