/**
 * Known properties of the objects a client may send, from the public XSD (Finance.xsd, IntuitBaseTypes.xsd).
 * Notation: `Name`, `Name:Type` for a nested object or list of objects, `Name=rule` with a rule of `field-rules.ts`.
 */
const BASE =
  "Id=id SyncToken=token MetaData:MetaData CustomField:CustomField AttachableRef:AttachableRef domain status sparse";
const TRANSACTION =
  "DocNumber=21 TxnDate=date DepartmentRef:Ref CurrencyRef:Ref ExchangeRate=number PrivateNote=4000 TxnStatus LinkedTxn:LinkedTxn " +
  "Line:Line TxnTaxDetail:TxnTaxDetail TxnSource TaxFormType TaxFormNum TransactionLocationType Tag TxnApprovalInfo RecurDataRef:Ref " +
  "RecurringInfo ProjectRef:Ref TaxReviewStatus";
const NAME_LIST = `${BASE} Name=100 FullyQualifiedName Active Level ParentRef:Ref SubItem SubClass SubDepartment Description=4000`;

const SPECIFICATION: Record<string, string> = {
  Invoice:
    `${BASE} ${TRANSACTION} AutoDocNumber CustomerRef:Ref CustomerMemo:Memo BillAddr:Address ShipAddr:Address RemitToRef:Ref ` +
    "ShipFromAddr:Address ClassRef:Ref SalesTermRef:Ref DueDate=date SalesRepRef:Ref PONumber=15 FOB ShipMethodRef:Ref ShipDate=date " +
    "TrackingNum=500 GlobalTaxCalculation=TaxExcluded|TaxInclusive|NotApplicable TotalAmt=number HomeTotalAmt=number " +
    "ApplyTaxAfterDiscount TemplateRef:Ref PrintStatus=NotSet|NeedToPrint|PrintComplete EmailStatus=NotSet|NeedToSend|EmailSent " +
    "BillEmail:Email BillEmailCc:Email BillEmailBcc:Email ARAccountRef:Ref Balance=number HomeBalance=number FinanceCharge " +
    "PaymentMethodRef:Ref PaymentRefNum PaymentType CheckPayment CreditCardPayment DepositToAccountRef:Ref DeliveryInfo DiscountRate=number " +
    "DiscountAmt=number GovtTxnRefIdentifier FreeFormAddress Deposit=number AllowIPNPayment AllowOnlinePayment " +
    "AllowOnlineCreditCardPayment AllowOnlineACHPayment AllowOnlinePayPalPayment EInvoiceStatus ECloudStatusTimeStamp InvoiceStatus " +
    "InvoiceStatusLog CallToAction InvoiceEx InvoiceLink LessCIS TaxExemptionRef:Ref HeaderInfo OverrideIndicator",
  Line:
    "Id=id LineNum=number Description=4000 Amount=number Received=number LinkedTxn:LinkedTxn " +
    "DetailType=SalesItemLineDetail|DiscountLineDetail|SubTotalLineDetail|DescriptionOnly|GroupLineDetail|TaxLineDetail " +
    "SalesItemLineDetail:SalesItemLineDetail DiscountLineDetail:DiscountLineDetail SubTotalLineDetail DescriptionLineDetail:DescriptionLineDetail " +
    "GroupLineDetail:GroupLineDetail TaxLineDetail:TaxLineDetail CustomField:CustomField LineEx CustomExtensions",
  SalesItemLineDetail:
    "ItemRef:Ref ClassRef:Ref UnitPrice=number RatePercent=number PriceLevelRef:Ref MarkupInfo Qty=number UOMRef:Ref ItemAccountRef:Ref " +
    "InventorySiteRef:Ref TaxCodeRef:Ref SalesItemLineDetailEx ServiceDate=date TaxInclusiveAmt=number DiscountRate=number " +
    "DiscountAmt=number TaxClassificationRef:Ref DeferredRevenue",
  DiscountLineDetail:
    "ServiceDate=date ClassRef:Ref TaxCodeRef:Ref DiscountRef:Ref PercentBased DiscountPercent=number DiscountAccountRef:Ref DiscountLineDetailEx",
  DescriptionLineDetail: "ServiceDate=date TaxCodeRef:Ref DescriptionLineDetailEx",
  GroupLineDetail: "GroupItemRef:Ref Quantity=number UOMRef:Ref ServiceDate=date Line:Line GroupLineDetailEx",
  TxnTaxDetail:
    "DefaultTaxCodeRef:Ref TxnTaxCodeRef:Ref TotalTax=number TaxLine:Line UseAutomatedSalesTax TaxReviewStatus",
  TaxLineDetail:
    "TaxRateRef:Ref PercentBased TaxPercent=number NetAmountTaxable=number TaxInclusiveAmount=number OverrideDeltaAmount=number ServiceDate=date TaxLineDetailEx",
  LinkedTxn: "TxnId TxnType TxnLineId",
  CustomField: "DefinitionId Name Type StringValue=31 BooleanValue DateValue NumberValue",
  Ref: "value name type",
  Memo: "value=1000 Id",
  Email: "Address=email Id Default Tag",
  Phone: "FreeFormNumber=30 Id Default Tag DeviceType CountryCode AreaCode ExchangeCode Extension",
  WebSite: "URI=1000 Id Default Tag",
  Address:
    "Id Line1=500 Line2=500 Line3=500 Line4=500 Line5=500 City=255 Country=255 CountryCode CountrySubDivisionCode=255 PostalCode=30 " +
    "PostalCodeSuffix Lat Long Tag Note County",
  MetaData: "CreatedByRef:Ref CreateTime LastModifiedByRef:Ref LastUpdatedTime LastChangedInQB Synchronized",
  AttachableRef:
    "EntityRef:Ref LineInfo IncludeOnSend Inactive NoRefOnly CustomField:CustomField AttachableRefEx",
  Customer:
    `${BASE} IntuitId Organization Title=16 GivenName=100 MiddleName=100 FamilyName=100 Suffix=16 FullyQualifiedName CompanyName=100 ` +
    "DisplayName=500 PrintOnCheckName=110 UserId Active V4IDPseudonym PrimaryPhone:Phone AlternatePhone:Phone Mobile:Phone Fax:Phone " +
    "PrimaryEmailAddr:Email WebAddr:WebSite OtherContactInfo DefaultTaxCodeRef:Ref Taxable BillAddr:Address ShipAddr:Address OtherAddr:Address " +
    "ContactName AltContactName Notes=2000 Job BillWithParent RootCustomerRef:Ref ParentRef:Ref Level CustomerTypeRef:Ref SalesTermRef:Ref " +
    "SalesRepRef:Ref TaxGroupCodeRef:Ref TaxRateRef:Ref TaxRegime PaymentMethodRef:Ref CCDetail PriceLevelRef:Ref Balance=number OpenBalanceDate=date " +
    "BalanceWithJobs=number CreditLimit=number AcctNum ARAccountRef:Ref CurrencyRef:Ref OverDueBalance TotalRevenue TotalExpense " +
    "PreferredDeliveryMethod ResaleNum=16 JobInfo TDSEnabled CustomerEx SecondaryTaxIdentifier BusinessNumber PrimaryTaxIdentifier " +
    "TaxExemptionReasonId IsProject ClientEntityId Source GSTIN GSTRegistrationType ClientCompanyId",
  Item:
    `${NAME_LIST} Sku=100 Taxable SalesTaxIncluded PercentBased UnitPrice=number RatePercent Type=Inventory|Service|NonInventory|Category|Group ` +
    "PaymentMethodRef:Ref UOMSetRef:Ref IncomeAccountRef:Ref PurchaseDesc PurchaseTaxIncluded PurchaseCost=number ExpenseAccountRef:Ref " +
    "COGSAccountRef:Ref AssetAccountRef:Ref PrefVendorRef:Ref AvgCost QtyOnHand=number QtyOnPurchaseOrder QtyOnSalesOrder ReorderPoint " +
    "ManPartNum DepositToAccountRef:Ref SalesTaxCodeRef:Ref PurchaseTaxCodeRef:Ref InvStartDate=date BuildPoint PrintGroupedItems " +
    "SpecialItem SpecialItemType ItemGroupDetail ItemAssemblyDetail AbatementRate ReverseChargeRate ServiceType ItemCategoryType ItemEx " +
    "TrackQtyOnHand UQCDisplayText UQCId ClassRef:Ref Source TaxClassificationRef:Ref",
  Term:
    `${BASE} Name=31 Active Type=STANDARD|DATE_DRIVEN DiscountPercent=number DueDays=number DiscountDays=number DayOfMonthDue=number ` +
    "DueNextMonthDays=number DiscountDayOfMonth=number SalesTermEx",
  Class: NAME_LIST,
  Department: `${NAME_LIST} Address:Address`,
  TaxCode: `${BASE} Name=100 Description=4000 Active Hidden Taxable TaxGroup SalesTaxRateList PurchaseTaxRateList TaxCodeConfigType`,
  Attachable:
    `${BASE} FileName=1000 FileAccessUri TempDownloadUri Size=number ContentType=100 ` +
    "Category=Contact Photo|Document|Image|Receipt|Signature|Sound|Other Lat Long PlaceName=2000 Note=2000 Tag=2000 " +
    "ThumbnailFileAccessUri ThumbnailTempDownloadUri AttachableEx",
};

export type Property = { name: string; type?: string; rule?: string };

/** Known properties by type name. */
export const KNOWN_PROPERTIES: ReadonlyMap<string, ReadonlyMap<string, Property>> = new Map(
  Object.entries(SPECIFICATION).map(([type, text]) => [type, parseProperties(text)]),
);

function parseProperties(text: string): Map<string, Property> {
  const properties = new Map<string, Property>();
  for (const word of text.replace("Contact Photo", "Contact\u00a0Photo").split(" ")) {
    const [, name = "", type, rule] = /^(\w+)(?::(\w+))?(?:=(.+))?$/.exec(word) ?? [];
    properties.set(name, {
      name,
      ...(type !== undefined && { type }),
      ...(rule !== undefined && { rule: rule.replace("\u00a0", " ") }),
    });
  }
  return properties;
}
