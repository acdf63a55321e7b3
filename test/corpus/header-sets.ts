/**
 * Header rows as other programs and people write them: `Header=field`, or `Header=-` for a column that is none of
 * ours. The first part names where such a row comes from.
 */
const SETS = `
QuickBooks import sample | *InvoiceNo=invoiceNo; *Customer=customer; *InvoiceDate=invoiceDate; *DueDate=dueDate; Terms=terms; Location=location; Memo=privateNote; Item(Product/Service)=item; ItemDescription=description; ItemQuantity=qty; ItemRate=rate; *ItemAmount=amount; Taxable=taxable; TaxRate=-; Ship via=shipVia; Shipping date=shipDate; Tracking no=trackingNo; Shipping Charge=shipping; Service Date=serviceDate
QuickBooks import, newer | Invoice number*=invoiceNo; Customer*=customer; Invoice date*=invoiceDate; Due date*=dueDate; Terms=terms; Service Date=serviceDate; Item (Product/Service)=item; Item Description=description; Item Quantity=qty; Item Rate=rate; Item Amount*=amount; Item tax code=taxable; Memo=privateNote
QuickBooks transaction detail export | Date=invoiceDate; Transaction type=-; Num=invoiceNo; Name=customer; Product/Service=item; Memo/Description=description; Quantity=qty; Sales Price=rate; Amount=amount; Balance=-
QuickBooks sales by customer export | Transaction date=invoiceDate; Num=invoiceNo; Customer full name=customer; Product/Service full name=-; Product/Service=item; Line description=description; Quantity=qty; Sales price=rate; Amount=amount; Balance=-
QuickBooks API names | DocNumber=invoiceNo; CustomerRef.name=customer; TxnDate=invoiceDate; DueDate=dueDate; ItemRef=item; Description=description; Qty=qty; UnitPrice=rate; Amount=amount; PrivateNote=privateNote; CurrencyRef=currency
QuickBooks Desktop export | Type=-; Date=invoiceDate; Num=invoiceNo; Name=customer; Memo=privateNote; Item=item; Qty=qty; Sales Price=rate; Amount=amount; Balance=-
QuickBooks Desktop, customer and job | Customer:Job=customer; Date=invoiceDate; Invoice #=invoiceNo; P.O. #=poNumber; Terms=terms; Item Code=item; Description=description; Quantity=qty; Price Each=rate; Amount=amount; Class=className
SaasAnt invoice | Invoice No=invoiceNo; Customer=customer; Invoice Date=invoiceDate; Due Date=dueDate; Ship Date=shipDate; Ship Via=shipVia; Tracking No=trackingNo; Terms=terms; Billing Address Line 1=billLine1; Billing Address Line 2=billLine2; Billing Address City=billCity; Billing Address Postal Code=billPostalCode; Billing Address Country=billCountry; Billing Address State=billState; Memo=privateNote; Message Displayed On Invoice=customerMemo; Email=email; Product/Service=item; Product/Service Description=description; Product/Service Quantity=qty; Product/Service Rate=rate; Product/Service Amount=amount; Product/Service Class=className; Location=location; Currency Code=currency; Exchange Rate=exchangeRate
SaasAnt, shipping side | Invoice No=invoiceNo; Customer=customer; Invoice Date=invoiceDate; Shipping Address Line 1=shipLine1; Shipping Address Line 2=shipLine2; Shipping Address Line 3=shipLine3; Shipping Address City=shipCity; Shipping Address Postal Code=shipPostalCode; Shipping Address Country=shipCountry; Shipping Address Country Subdivision Code=shipState; Sales Tax Code=taxable; Product/Service=item; Product/Service Amount=amount; Discount Percent=-
SaasAnt, short | Invoice Number=invoiceNo; Customer Name=customer; Date=invoiceDate; Product=item; Quantity=qty; Rate=rate; Amount=amount; Class=className
SaasAnt, dates and notes | Invoice No=invoiceNo; Customer=customer; Txn Date=invoiceDate; Due Date=dueDate; Product/Service=item; Product/Service Service Date=-; Service Date=serviceDate; Amount=amount; Private Memo=privateNote; Customer Message=customerMemo
Transaction Pro | RefNumber=invoiceNo; Customer=customer; TxnDate=invoiceDate; DueDate=dueDate; ShipDate=shipDate; ShipMethodName=shipVia; TrackingNum=trackingNo; SalesTerm=terms; Location=location; BillAddrLine1=billLine1; BillAddrLine2=billLine2; BillAddrLine3=billLine3; BillAddrLine4=billLine4; BillAddrCity=billCity; BillAddrState=billState; BillAddrPostalCode=billPostalCode; BillAddrCountry=billCountry; PrivateNote=privateNote; Msg=customerMemo; BillEmail=email; Currency=currency; ExchangeRate=exchangeRate; ToBePrinted=-; ToBeEmailed=-; LineServiceDate=serviceDate; LineItem=item; LineQty=qty; LineDesc=description; LineUnitPrice=rate; LineAmount=amount; LineClass=className; LineTaxable=taxable
Transaction Pro, ship side | RefNumber=invoiceNo; Customer=customer; TxnDate=invoiceDate; ShipAddrLine1=shipLine1; ShipAddrLine2=shipLine2; ShipAddrCity=shipCity; ShipAddrState=shipState; ShipAddrPostalCode=shipPostalCode; ShipAddrCountry=shipCountry; LineItem=item; LineQty=qty; LineUnitPrice=rate; LineAmount=amount; Deposit=deposit
Transaction Pro, short | RefNumber=invoiceNo; Customer=customer; TxnDate=invoiceDate; LineItem=item; LineQty=qty; LineUnitPrice=rate; Class=className
Transaction Pro, spaced | Ref Number=invoiceNo; Customer=customer; Txn Date=invoiceDate; Sales Term=terms; Line Item=item; Line Qty=qty; Line Desc=description; Line Unit Price=rate; Line Amount=amount
Zed Axis | DocNumber=invoiceNo; CustomerRef=customer; TxnDate=invoiceDate; DueDate=dueDate; SalesTermRef=terms; PrivateNote=privateNote; CustomerMemo=customerMemo; LineDescription=description; LineAmount=amount; LineSalesItemRef=item; LineUnitPrice=rate; LineQty=qty; LineServiceDate=serviceDate; LineClassRef=className; USTaxCode=taxable; ShipMethodRef=shipVia; ShipDate=shipDate; TrackingNum=trackingNo; DepartmentRef=location; BillEmail=email; CurrencyRef=currency
Zed Axis, spaced | Doc Number=invoiceNo; Customer Ref=customer; Txn Date=invoiceDate; Sales Term Ref=terms; Line Description=description; Line Amount=amount; Line Sales Item Ref=item; Line Unit Price=rate; Line Qty=qty; Department Ref=location
Zed Axis, addresses | DocNumber=invoiceNo; CustomerRef=customer; TxnDate=invoiceDate; LineSalesItemRef=item; LineAmount=amount; BillAddrLine1=billLine1; BillAddrCity=billCity; BillAddrCountrySubDivisionCode=billState; BillAddrPostalCode=billPostalCode; ShipAddrLine1=shipLine1; ShipAddrCity=shipCity
Our template | Invoice No=invoiceNo; Group=group; Customer=customer; Invoice Date=invoiceDate; Due Date=dueDate; Terms=terms; PO Number=poNumber; Item=item; Description=description; Qty=qty; Rate=rate; Amount=amount; Service Date=serviceDate; Class=className; Location=location; Taxable=taxable; Ship Via=shipVia; Ship Date=shipDate; Tracking No=trackingNo; Email=email; Customer Memo=customerMemo; Private Note=privateNote
By hand, capitals | INVOICE #=invoiceNo; CUSTOMER=customer; DATE=invoiceDate; ITEM=item; QTY=qty; PRICE=rate; TOTAL=-; AMOUNT=amount
By hand, short forms | Inv #=invoiceNo; Client=customer; Inv Date=invoiceDate; Due=dueDate; Product=item; Desc=description; Qty.=qty; Unit Price=rate; Line Total=amount
By hand, wordy | Invoice Number (required)=invoiceNo; Customer Name (required)=customer; Invoice Date (MM/DD/YYYY)=invoiceDate; Product or Service=item; Quantity=qty; Unit Price=rate; Line Amount=amount
By hand, line breaks | Invoice\\nNo.=invoiceNo; Customer\\nName=customer; Invoice\\nDate=invoiceDate; Item\\nName=item; Item\\nAmount=amount
By hand, underscores | invoice_no=invoiceNo; customer_name=customer; invoice_date=invoiceDate; due_date=dueDate; item_name=item; quantity=qty; unit_price=rate; amount=amount; po_number=poNumber
By hand, dashes and stars | Invoice-No *=invoiceNo; Customer *=customer; Date *=invoiceDate; Item *=item; Qty=qty; Rate=rate; Amount *=amount
By hand, hard spaces | Invoice\u00a0No=invoiceNo; Customer\u00a0Name=customer; Invoice\u00a0Date=invoiceDate; Product/Service=item; Amount=amount; Notes=privateNote
Shop export | Order ID=-; Invoice Number=invoiceNo; Customer Name=customer; Transaction Date=invoiceDate; SKU=item; Item Description=description; Quantity=qty; Item Price=rate; Extended Price=amount; Customer Email=email; Carrier=shipVia; Tracking Number=trackingNo; Ship To Address 1=shipLine1; Ship To City=shipCity; Ship To State=shipState; Ship To Zip=shipPostalCode; Ship To Country=shipCountry
Warehouse export | PO Number=poNumber; Invoice=invoiceNo; Bill To Name=customer; Invoice Date=invoiceDate; Item Number=item; Qty Shipped=-; Qty=qty; Price=rate; Extension=amount; Ship Method=shipVia; Date Shipped=shipDate; Tracking=trackingNo; Warehouse=-
Wholesale sheet | Customer PO=poNumber; Customer=customer; Inv No=invoiceNo; Invoice Date=invoiceDate; Payment Terms=terms; Item #=item; Item Description=description; Item Qty=qty; Item Rate=rate; Ext Amount=amount; Department=location
Service company | Client Name=customer; Invoice Date=invoiceDate; Reference No=-; Document No=-; Doc No=invoiceNo; Service=item; Serviced On=serviceDate; Description=description; Hours=qty; Amount=amount; Internal Note=privateNote
Agency | Client=customer; Invoice Number=invoiceNo; Transaction Date=invoiceDate; Service=item; Line Description=description; Quantity=qty; Rate=rate; Message=customerMemo; Billing Email=email; Project=-
Distributor | Sold To=-; Customer Name=customer; Invoice No.=invoiceNo; Doc Date=invoiceDate; Purchase Order No=poNumber; Product/Service Name=item; Quantity=qty; Unit Price=rate; Amount=amount; Bill To Street=billLine1; Bill To City=billCity; Bill To State/Province=billState; Bill To Postcode=billPostalCode
Freight forwarder | Invoice=invoiceNo; Customer Ref=customer; Invoice Date=invoiceDate; Due Date=dueDate; Item=item; Description=description; Amount=amount; Shipped Date=shipDate; Shipping Method=shipVia; Track No=trackingNo; Ship To City=shipCity; Ship To ZIP Code=shipPostalCode; Weight=-
Old accounting program | Document Number=invoiceNo; Customer Full Name=customer; Date=invoiceDate; Item Code=item; Desc=description; Quantity=qty; Price=rate; Line Amount=amount; Class Name=className; Location Name=location; Term=terms
Numbered by QuickBooks | Customer=customer; Invoice Date=invoiceDate; Item=item; Qty=qty; Rate=rate; Amount=amount; Batch Key=group
Two addresses | Invoice No=invoiceNo; Customer=customer; Invoice Date=invoiceDate; Item=item; Amount=amount; Billing Street=billLine1; Billing City=billCity; Billing State=billState; Billing Zip=billPostalCode; Billing Country=billCountry; Shipping Street=shipLine1; Shipping City=shipCity; Shipping State=shipState; Shipping Zip=shipPostalCode; Shipping Country=shipCountry
Tax and discount beside | Invoice No=invoiceNo; Customer=customer; Invoice Date=invoiceDate; Item=item; Quantity=qty; Price=rate; Amount=amount; Tax=-; Discount=-; Total=-; Balance Due=-; Status=-
Corrected file | Invoice No=invoiceNo; Customer=customer; Invoice Date=invoiceDate; Item=item; Qty=qty; Rate=rate; Amount=amount; Reason=-
Invoice Ninja style | Client Name=customer; Invoice Number=invoiceNo; Invoice Date=invoiceDate; Due Date=dueDate; PO Number=poNumber; Item Product=-; Product=item; Item Description=description; Item Quantity=qty; Item Price=rate; Private Note=privateNote
Xero style | ContactName=customer; EmailAddress=email; InvoiceNumber=invoiceNo; InvoiceDate=invoiceDate; DueDate=dueDate; ItemCode=item; Description=description; Quantity=qty; UnitPrice=rate; LineAmount=amount; TaxType=-; Currency=currency
QuickBooks invoice screen | Customer=customer; Invoice no.=invoiceNo; Terms=terms; Invoice date=invoiceDate; Due date=dueDate; Service On=serviceDate; Product/service=item; Description=description; Qty=qty; Rate=rate; Amount=amount; Location=location; Note to customer=customerMemo; Message on statement=privateNote; Customer email=email; Customer PO #=poNumber; Discount=-
Zed Axis, tax and location | DocNumber=invoiceNo; CustomerRef=customer; TxnDate=invoiceDate; LineSalesItemRef=item; LineAmount=amount; Line Sales Tax Code Ref=taxable; Location Ref=location; Line Service Date=serviceDate
SaasAnt, tax of a line | Invoice No=invoiceNo; Customer=customer; Invoice Date=invoiceDate; Product/Service=item; Product/Service Taxable=taxable; Product/Service Amount=amount; Message Displayed On Statement=privateNote
Unknown customer column | Invoice No=invoiceNo; Purchaser=customer; Invoice Date=invoiceDate; Item=item; Amount=amount
Unknown amount column | Invoice No=invoiceNo; Customer=customer; Invoice Date=invoiceDate; Item=item; Value=amount
`;

export type HeaderSet = { source: string; columns: { header: string; field: string | null }[] };

export const HEADER_SETS: readonly HeaderSet[] = SETS.trim()
  .split("\n")
  .map((line) => {
    const [source = "", columns = ""] = line.split(" | ");
    return {
      source,
      columns: columns.split("; ").map((column) => {
        const at = column.lastIndexOf("=");
        const field = column.slice(at + 1);
        const header = column.slice(0, at).replaceAll("\\n", "\n");
        return { header, field: field === "-" ? null : field };
      }),
    };
  });
