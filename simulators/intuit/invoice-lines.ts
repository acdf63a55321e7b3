import { parseCents, centsToNumber, multiply, takePercent, toCents, toDecimal } from "../kit/decimal.ts";
import { fault, missing } from "./api-fault.ts";
import { preferenceOn } from "./companies.ts";
import { refTo, resolve } from "./references.ts";
import { readList, refValue, readText, type Fields, type WriteContext } from "./write-context.ts";

/** Lines as stored, and their sums in cents. */
export type BuiltLines = { lines: Fields[]; subtotal: bigint; taxable: bigint; discount: bigint };

/** QuickBooks' own item of the shipping amount. */
const SHIPPING_ITEM = "SHIPPING_ITEM_ID";

type LineBuild = { ctx: WriteContext; txnDate: string; usedIds: Set<string>; nextId: bigint };

/**
 * Builds the lines of an invoice: resolves references, assigns ids and numbers, appends the subtotal line.
 * @param previous lines of the stored invoice; a line keeps its id only if it is sent with it
 * @throws ApiFault 2020, 2500, 610, 6000, 6070, 6090, 6100, 6270
 */
export function buildLines(
  ctx: WriteContext,
  input: Fields[],
  at: { txnDate: string; previous: Fields[] },
): BuiltLines {
  const usedIds = new Set(
    at.previous.flatMap((line) => (typeof line["Id"] === "string" ? [line["Id"]] : [])),
  );
  const highest = [...usedIds].reduce((max, id) => (BigInt(id) > max ? BigInt(id) : max), 0n);
  const build: LineBuild = { ctx, txnDate: at.txnDate, usedIds, nextId: highest + 1n };
  const own = input.filter(
    (line) => line["DetailType"] !== "SubTotalLineDetail" && (!isShipping(line) || takesShipping(ctx)),
  );
  if (own.length === 0) throw missing("Line");
  const sales = own
    .filter((line) => line["DetailType"] !== "DiscountLineDetail")
    .map((line, i) => salesLine(build, line, i + 1));
  const amount = (lines: Fields[]) => lines.reduce((sum, line) => sum + parseCents(line["Amount"]), 0n);
  const subtotal = amount(sales);
  const discountLine = buildDiscount(
    build,
    own.filter((line) => line["DetailType"] === "DiscountLineDetail"),
    subtotal,
  );
  const subtotalLine = {
    Amount: centsToNumber(subtotal),
    DetailType: "SubTotalLineDetail",
    SubTotalLineDetail: {},
  };
  return {
    lines: [...sales, subtotalLine, ...(discountLine ? [discountLine] : [])],
    subtotal,
    taxable: amount(sales.filter(isTaxable)),
    discount: discountLine ? parseCents(discountLine["Amount"]) : 0n,
  };
}

const isShipping = (line: Fields) =>
  refValue((line["SalesItemLineDetail"] ?? {}) as Fields, "ItemRef") === SHIPPING_ITEM;

/** A shipping amount is silently dropped if the company has shipping switched off, as the shipping fields are. */
const takesShipping = (ctx: WriteContext) => preferenceOn(ctx.company, "SalesFormsPrefs", "AllowShipping");

function salesLine(build: LineBuild, line: Fields, number: number): Fields {
  const type = readText(line, "DetailType");
  if (type === undefined) throw missing("DetailType");
  const description = readText(line, "Description");
  const head = {
    Id: lineId(build, line),
    LineNum: number,
    ...(description !== undefined && { Description: description }),
  };
  if (type === "GroupLineDetail") return groupLine(build, line, head);
  const detail = (line["SalesItemLineDetail"] ?? {}) as Fields;
  const isText = type === "DescriptionOnly" || refValue(detail, "ItemRef") === undefined;
  if (isText)
    return {
      ...head,
      DetailType: "DescriptionOnly",
      DescriptionLineDetail: line["DescriptionLineDetail"] ?? {},
    };
  return { ...head, ...itemLine(build, line, detail) };
}

function itemLine(build: LineBuild, line: Fields, detail: Fields): Fields {
  if (!toDecimal(line["Amount"])) throw missing("Amount");
  checkAmount(line["Amount"], detail);
  return {
    Amount: centsToNumber(parseCents(line["Amount"])),
    DetailType: "SalesItemLineDetail",
    SalesItemLineDetail: salesDetail(build, detail),
    ...(readList(line, "LinkedTxn").length > 0 && { LinkedTxn: line["LinkedTxn"] }),
  };
}

function salesDetail(build: LineBuild, detail: Fields): Fields {
  const { ctx } = build;
  const { company } = ctx;
  const classEntity = resolve(ctx, detail, { kind: "Class", property: "ClassRef" });
  const withClass = classEntity && preferenceOn(company, "AccountingInfoPrefs", "ClassTrackingPerTxnLine");
  const withDate =
    Boolean(detail["ServiceDate"]) && preferenceOn(company, "SalesFormsPrefs", "AllowServiceDate");
  const numbers = ["UnitPrice", "Qty", "DiscountRate", "DiscountAmt", "TaxInclusiveAmt"].flatMap((name) =>
    toDecimal(detail[name]) ? [[name, Number(detail[name])] as const] : [],
  );
  return {
    ItemRef: itemRef(build, detail),
    ...(withClass && { ClassRef: refTo(classEntity) }),
    ...Object.fromEntries(numbers),
    TaxCodeRef: taxCodeRef(ctx, detail),
    ...(withDate && { ServiceDate: String(detail["ServiceDate"]).slice(0, 10) }),
  };
}

function itemRef(build: LineBuild, detail: Fields): Fields {
  if (refValue(detail, "ItemRef") === SHIPPING_ITEM) return { value: SHIPPING_ITEM };
  const item = resolve(build.ctx, detail, { kind: "Item", property: "ItemRef" });
  if (!item) throw missing("ItemRef");
  if (item["Type"] === "Category") {
    throw fault(
      "6000",
      "Business Validation Error: A category cannot be used in a sales transaction. Select an item instead.",
    );
  }
  const start = item["InvStartDate"];
  if (typeof start === "string" && build.txnDate < start) {
    throw fault(
      "6270",
      `Transaction date is prior to start date for inventory item : The transaction date ${build.txnDate} is before the inventory start date ${start} of ${String(item["Name"])}.`,
    );
  }
  return refTo(item);
}

/** US companies only have TAX and NON; elsewhere every line references a tax code by id. */
function taxCodeRef(ctx: WriteContext, detail: Fields): Fields {
  const value = refValue(detail, "TaxCodeRef");
  if (ctx.company.country === "US") {
    if (value !== undefined && value !== "TAX" && value !== "NON") {
      throw fault("6100", `Invalid line tax code : ${value}. Supported values are TAX and NON.`);
    }
    return { value: value ?? "NON" };
  }
  const code = resolve(ctx, detail, { kind: "TaxCode", property: "TaxCodeRef" });
  if (!code) {
    throw fault(
      "6000",
      "Business Validation Error: Make sure all your transactions have a GST/HST rate before you save.",
    );
  }
  return { value: code.Id };
}

function checkAmount(amount: unknown, detail: Fields): void {
  const [qty, price] = [toDecimal(detail["Qty"]), toDecimal(detail["UnitPrice"])];
  if (!qty || !price || toCents(multiply(qty, price)) === parseCents(amount)) return;
  throw fault("6070", `Amount is not equal to UnitPrice * Qty. Supplied value:${String(amount)}`);
}

function groupLine(build: LineBuild, line: Fields, head: Fields): Fields {
  const detail = (line["GroupLineDetail"] ?? {}) as Fields;
  const group = resolve(build.ctx, detail, { kind: "Item", property: "GroupItemRef" });
  if (!group) throw missing("GroupItemRef");
  const inner = readList(detail, "Line").map((part, i) => salesLine(build, part, i + 1));
  const cents = inner.reduce((sum, part) => sum + parseCents(part["Amount"]), 0n);
  return {
    ...head,
    Amount: centsToNumber(cents),
    DetailType: "GroupLineDetail",
    GroupLineDetail: { GroupItemRef: refTo(group), Quantity: Number(detail["Quantity"] ?? 1), Line: inner },
  };
}

function buildDiscount(build: LineBuild, lines: Fields[], subtotal: bigint): Fields | undefined {
  const [line, second] = lines;
  if (!line) return undefined;
  if (second) throw fault("6090", "Discount line is invalid : Only one discount line is allowed.");
  if (!preferenceOn(build.ctx.company, "SalesFormsPrefs", "AllowDiscount")) {
    throw fault("6000", "Business Validation Error: Discounts are turned off for this company.");
  }
  const detail = (line["DiscountLineDetail"] ?? {}) as Fields;
  const percent = toDecimal(detail["DiscountPercent"]);
  const byPercent = detail["PercentBased"] === true || String(detail["PercentBased"]) === "true";
  if (byPercent ? !percent : !toDecimal(line["Amount"])) {
    throw fault("6090", "Discount line is invalid : Supply either an amount or a percentage.");
  }
  const cents = byPercent && percent ? takePercent(subtotal, percent) : parseCents(line["Amount"]);
  return {
    Id: lineId(build, line),
    LineNum: 0,
    Amount: centsToNumber(cents),
    DetailType: "DiscountLineDetail",
    DiscountLineDetail: {
      PercentBased: byPercent,
      ...(byPercent && { DiscountPercent: Number(detail["DiscountPercent"]) }),
      DiscountAccountRef: { value: "86", name: "Discounts given" },
    },
  };
}

function lineId(build: LineBuild, line: Fields): string {
  const sent = line["Id"] === undefined || line["Id"] === null ? undefined : String(line["Id"]);
  if (sent !== undefined && build.usedIds.delete(sent)) return sent;
  return String(build.nextId++);
}

function isTaxable(line: Fields): boolean {
  return refValue((line["SalesItemLineDetail"] ?? {}) as Fields, "TaxCodeRef") === "TAX";
}
