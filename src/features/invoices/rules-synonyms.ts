import type { Field } from "#features/invoices/rules-fields.ts";

const BILL = ["bill", "billto", "billing", "billaddr", "billaddress", "billingaddress"];
const SHIP = ["ship", "shipto", "shipping", "shipaddr", "shipaddress", "shippingaddress"];
const STATE = ["state", "stateprovince", "province", "countrysubdivisioncode", "region"];
const POSTAL_CODE = ["postalcode", "zip", "zipcode", "postcode", "postal"];

/**
 * Names that other importers give our columns, as `headerKey` writes them. Sources: the import of QuickBooks itself,
 * SaasAnt, Transaction Pro and Zed Axis. Names that could mean another figure ("total", "tax", "units") are left out.
 */
export const SYNONYMS: Record<Field, readonly string[]> = {
  invoiceNo: [
    "invoicenumber",
    "invoice",
    "invno",
    "docnumber",
    "documentnumber",
    "docno",
    "refnumber",
    "refno",
    "referencenumber",
    "num",
    "number",
    "transactionnumber",
  ],
  group: ["invoicegroup", "groupkey", "batchkey"],
  customer: [
    "customername",
    "customerfullname",
    "customerref",
    "customerrefname",
    "displayname",
    "client",
    "clientname",
    "billtoname",
    "name",
    "customerjob",
    "customerproject",
  ],
  invoiceDate: ["date", "txndate", "transactiondate", "docdate", "invdate"],
  dueDate: ["duedate", "due", "paymentdue"],
  terms: ["term", "salesterm", "salestermref", "salesterms", "paymentterms", "termsref"],
  poNumber: [
    "po",
    "pono",
    "purchaseorder",
    "purchaseorderno",
    "purchaseordernumber",
    "ponumber",
    "customerpo",
  ],
  item: [
    "itemname",
    "itemref",
    "itemproductservice",
    "productservice",
    "product",
    "service",
    "productorservice",
    "productservicename",
    "sku",
    "itemsku",
    "lineitem",
    "linesalesitemref",
    "salesitem",
    "itemcode",
    "itemno",
    "itemnumber",
  ],
  description: [
    "itemdescription",
    "linedescription",
    "linedesc",
    "desc",
    "productservicedescription",
    "productdescription",
  ],
  qty: ["quantity", "itemquantity", "itemqty", "lineqty", "linequantity", "productservicequantity"],
  rate: [
    "price",
    "unitprice",
    "itemrate",
    "itemprice",
    "lineunitprice",
    "lineprice",
    "linerate",
    "salesprice",
    "productservicerate",
  ],
  amount: [
    "lineamount",
    "itemamount",
    "linetotal",
    "extendedprice",
    "extension",
    "extamount",
    "productserviceamount",
  ],
  serviceDate: ["itemservicedate", "lineservicedate", "servicedon", "productservicedate"],
  className: ["classname", "classref", "lineclass", "itemclass", "lineclassref", "productserviceclass"],
  location: ["department", "departmentref", "locationname", "departmentname"],
  taxable: [
    "itemtaxcode",
    "taxcode",
    "linetaxable",
    "salestaxcode",
    "linetaxcode",
    "salestaxcoderef",
    "linesalestaxcode",
    "ustaxcode",
  ],
  shipVia: ["shipmethod", "shipmethodname", "shipmethodref", "shippingmethod", "carrier", "shipvia"],
  shipDate: ["shippingdate", "shippeddate", "dateshipped", "shipon"],
  trackingNo: ["tracking", "trackingnum", "trackingnumber", "trackno"],
  billLine1: onSide(BILL, addressLine(1)),
  billLine2: onSide(BILL, addressLine(2)),
  billLine3: onSide(BILL, addressLine(3)),
  billLine4: onSide(BILL, addressLine(4)),
  billCity: onSide(BILL, ["city", "town"]),
  billState: onSide(BILL, STATE),
  billPostalCode: onSide(BILL, POSTAL_CODE),
  billCountry: onSide(BILL, ["country"]),
  shipLine1: onSide(SHIP, addressLine(1)),
  shipLine2: onSide(SHIP, addressLine(2)),
  shipLine3: onSide(SHIP, addressLine(3)),
  shipLine4: onSide(SHIP, addressLine(4)),
  shipCity: onSide(SHIP, ["city", "town"]),
  shipState: onSide(SHIP, STATE),
  shipPostalCode: onSide(SHIP, POSTAL_CODE),
  shipCountry: onSide(SHIP, ["country"]),
  email: ["billemail", "customeremail", "emailaddress", "billingemail"],
  customerMemo: [
    "customermessage",
    "message",
    "msg",
    "customermsg",
    "messageoninvoice",
    "messagedisplayedoninvoice",
    "notetocustomer",
  ],
  privateNote: ["memo", "privatememo", "statementmemo", "memoonstatement", "internalnote", "note", "notes"],
  currency: ["currencycode", "currencyref"],
};

function onSide(prefixes: readonly string[], names: readonly string[]): string[] {
  return prefixes.flatMap((prefix) => names.map((name) => prefix + name));
}

function addressLine(number: number): string[] {
  const names = ["line", "address", "addressline", "addr", "street"];
  return [...names.map((name) => name + number), ...(number === 1 ? ["address", "addr", "street"] : [])];
}
