/**
 * Columns of exports and import files by the public field lists of programs, with the meaning of each: `Header=meaning`.
 * `none` is a column without values, `words` one of free text.
 */
const TOOLS = `
QuickBooks Online import | *InvoiceNo=number; *Customer=customer; *InvoiceDate=date; *DueDate=due; Terms=none; Location=none; Memo=words; Item(Product/Service)=item; ItemDescription=description; ItemQuantity=qty; ItemRate=rate; *ItemAmount=gross; Taxable=flag; TaxRate=none; Shipping Charge=shipping; Service Date=none
QuickBooks Online import, newer | Invoice number*=number; Customer*=customer; Invoice date*=date; Due date*=due; Terms=none; Item (Product/Service)=item; Item Description=description; Item Quantity=qty; Item Rate=rate; Item Amount*=gross; Item tax amount=lineTax; Discount %=discountPercent; Memo=words
QuickBooks Online report | Date=date; Transaction type=type; Num=number; Name=customer; Product/Service=item; Memo/Description=description; Quantity=qty; Sales Price=rate; Amount=gross; Balance=running
QuickBooks Desktop | Type=type; Date=date; Num=number; Name=customer; Memo=words; Item=item; Qty=qty; Sales Price=rate; Amount=gross; Open Balance=total
SaasAnt | Invoice No=number; Customer=customer; Invoice Date=date; Due Date=due; Terms=none; Memo=words; Product/Service=item; Product/Service Description=description; Product/Service Quantity=qty; Product/Service Rate=rate; Product/Service Amount=gross; Discount Amount=discount; Shipping Amount=shipping; Deposit=deposit; Total Tax=tax
SaasAnt, percent | Invoice No=number; Customer=customer; Invoice Date=date; Product/Service=item; Product/Service Quantity=qty; Product/Service Rate=rate; Discount Percent=discountPercent; Discount Amount=discountOfPercent; Shipping=shipping; Product/Service Amount=gross
Transaction Pro | RefNumber=number; Customer=customer; TxnDate=date; DueDate=due; SalesTerm=none; PrivateNote=words; ToBePrinted=flag; LineItem=item; LineQty=qty; LineDesc=description; LineUnitPrice=rate; LineAmount=gross; DiscountAmt=discount; ShipAmt=shipping; Deposit=deposit; TxnTaxAmt=tax
Zed Axis | DocNumber=number; CustomerRef=customer; TxnDate=date; DueDate=due; SalesTermRef=none; LineDescription=description; LineAmount=gross; LineSalesItemRef=item; LineUnitPrice=rate; LineQty=qty; DiscountLineAmount=discount; ShippingLineAmount=shipping; TotalAmt=total; TotalTax=tax
Xero | ContactName=customer; EmailAddress=email; InvoiceNumber=number; Reference=none; InvoiceDate=date; DueDate=due; Total=total; TaxTotal=tax; InvoiceAmountPaid=zero; InvoiceAmountDue=total; InventoryItemCode=item; Description=description; Quantity=qty; UnitAmount=rate; Discount=lineDiscountPercent; LineAmount=net; AccountCode=code; TaxType=words; TaxAmount=lineTax; Type=type; Status=status
FreshBooks | Client Name=customer; Invoice #=number; Date Issued=date; Invoice Status=status; Date Paid=none; Item Name=item; Item Description=description; Rate=rate; Quantity=qty; Discount Percentage=discountPercent; Line Subtotal=gross; Tax 1 Type=none; Tax 1 Amount=lineTax; Tax 2 Type=none; Tax 2 Amount=zero; Line Total=grossWithTax
Shopify orders | Name=number; Email=email; Financial Status=status; Paid at=none; Fulfillment Status=none; Subtotal=subtotalNet; Shipping=shipping; Taxes=tax; Total=total; Discount Code=none; Discount Amount=discount; Shipping Method=words; Created at=date; Lineitem quantity=qty; Lineitem name=item; Lineitem price=rate; Lineitem compare at price=compare; Lineitem sku=none; Lineitem taxable=flag; Billing Name=customer; Refunded Amount=zero; Outstanding Balance=balance; Lineitem discount=lineDiscount; Tags=none
WooCommerce | Order Number=number; Order Status=status; Order Date=date; Customer Note=words; Company (Billing)=customer; Cart Discount Amount=discount; Order Subtotal Amount=subtotal; Order Shipping Amount=shipping; Order Refund Amount=zero; Order Total Amount=total; Order Total Tax Amount=tax; SKU=none; Item Name=item; Quantity (- Refund)=qty; Item Cost=rate; Discount Amount=zero
Square | Date=date; Transaction ID=number; Customer Name=customer; Category=words; Item=item; Qty=qty; Price Point Name=none; SKU=none; Gross Sales=grossBefore; Discounts=discountInNet; Net Sales=net; Tax=lineTax; Event Type=words; Notes=words
Square, invoices | Invoice Number=number; Invoice Date=date; Customer=customer; Item=item; Quantity=qty; Unit Price=rate; Service Charges=fee; Tip=zero; Discounts=discount; Amount=gross; Amount Due=total
Stripe | id=code; Number=number; Customer Name=customer; Created (UTC)=date; Description=item; Quantity=qty; Unit Amount=rate; Line Amount=gross; Subtotal=subtotal; Discount=discount; Tax=tax; Amount Due=total; Amount Paid=zero; Status=status; Fee=fee
Amazon | order-id=number; order-item-id=code; purchase-date=date; buyer-name=customer; sku=item; product-name=description; quantity-purchased=qty; item-price=gross; item-tax=lineTax; shipping-price=lineShipping; shipping-tax=zero; item-promotion-discount=lineDiscount
eBay | Sales Record Number=code; Order Number=number; Buyer Name=customer; Sale Date=date; Item Title=item; Custom Label=none; Quantity=qty; Sold For=rate; Shipping And Handling=shipping; Seller Collected Tax=tax; Total Price=total
By hand, price of many | Invoice No=number; Customer=customer; Date=date; Item=item; Qty=qty; Unit Price=rate100; Price Per=per; Ext Price=gross; Invoice Total=total
By hand, price of many without a sum | Invoice No=number; Customer=customer; Date=date; Item=item; Qty=qty; Unit Price=rate100; Per=per
By hand, two quantities | Invoice No=number; Bill To=customer; Date=date; Item=item; Description=description; Qty=qtyOrdered; Qty Shipped=qty; Price=rate; Extension=gross
By hand, hours | Invoice No=number; Client=customer; Date=date; Service=item; Description=description; Hours=qty; Rate=rate; Amount=gross; Travel=fee; Retainer=deposit; Balance Due=total
By hand, freight | Order #=number; Company=customer; Order Date=date; Product Code=item; Qty=qty; Unit Cost=rate; Ext Price=gross; Freight=shipping; Surcharge=fee; Less Discount=discount; Sales Tax=tax; Grand Total=total
By hand, discounts | Inv #=number; Customer=customer; Date=date; Item=item; Qty=qty; Rate=rate; Disc=lineDiscount; Amount=net; Total=total
By hand, net price | Inv #=number; Customer=customer; Date=date; Item=item; Qty=qty; List Price=compare; Net Price=rate; Line Total=gross
By hand, documents | Document No=number; Document Type=type; Document Status=status; Customer=customer; Date=date; Item=item; Qty=qty; Rate=rate; Amount=gross
QuickBooks Online, Invoice List | Date=date; Transaction Type=type; Num=number; Name=customer; Memo/Description=description; Due Date=due; Amount=gross; Open Balance=openBalance
QuickBooks Online, Transaction List | Date=date; Transaction Type=type; Num=number; Posting=flag; Name=customer; Memo/Description=description; Account=words; Split=words; Amount=gross
By hand, totals only | Invoice No=number; Customer=customer; Date=date; Due Date=due; Total=gross; Balance Due=openBalance; Status=status
By hand, invoice totals only | Invoice No=number; Customer=customer; Date=date; Invoice Total=gross
By hand, small | Invoice No=number; Customer=customer; Date=date; Item=item; Amount=gross; Ship=shipping; Deposit Paid=deposit; Setup Fee=fee
`;

export const MEANINGS = [
  "number",
  "customer",
  "date",
  "due",
  "email",
  "item",
  "description",
  "words",
  "none",
  "code",
  "flag",
  "zero",
  "type",
  "status",
  "qty",
  "qtyOrdered",
  "rate",
  "rate100",
  "per",
  "compare",
  "gross",
  "net",
  "grossBefore",
  "grossWithTax",
  "lineDiscount",
  "discountInNet",
  "lineDiscountPercent",
  "lineTax",
  "lineShipping",
  "discount",
  "discountPercent",
  "discountOfPercent",
  "shipping",
  "fee",
  "deposit",
  "tax",
  "total",
  "balance",
  "openBalance",
  "running",
  "subtotal",
  "subtotalNet",
] as const;

export type Meaning = (typeof MEANINGS)[number];
export type ToolColumn = { header: string; meaning: Meaning };
export type Tool = { name: string; columns: ToolColumn[] };

export const TOOL_SHEETS: readonly Tool[] = TOOLS.trim()
  .split("\n")
  .map((line) => {
    const [name = "", columns = ""] = line.split(" | ");
    return { name, columns: columns.split("; ").map(readColumn) };
  });

function readColumn(text: string): ToolColumn {
  const at = text.lastIndexOf("=");
  const meaning = MEANINGS.find((each) => each === text.slice(at + 1));
  if (!meaning) throw new Error(`Unknown meaning: ${text}`);
  return { header: text.slice(0, at), meaning };
}
