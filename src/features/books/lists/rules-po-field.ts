import * as z from "zod";

/** Intuit nests a company's custom fields two levels deep, as name/value pairs. */
const customFields = z
  .array(
    z.looseObject({
      CustomField: z.array(z.looseObject({ Name: z.string(), StringValue: z.string().optional() })),
    }),
  )
  .catch([]);

/** Usual names of a custom field for customers' order numbers. */
const PO_NAMES: ReadonlySet<string> = new Set([
  "po",
  "pono",
  "ponumber",
  "purchaseorder",
  "purchaseorderno",
  "purchaseordernumber",
]);

/**
 * Finds the company's custom field for purchase order numbers, if any.
 * @param salesFormsFields `SalesFormsPrefs.CustomField` of the company's preferences, unparsed
 */
export function findPoField(salesFormsFields: unknown): { id: string; name: string } | null {
  const pairs = customFields.parse(salesFormsFields).flatMap(({ CustomField }) => CustomField);
  for (const { Name, StringValue: name } of pairs) {
    const id = /^SalesFormsPrefs\.SalesCustomName([1-3])$/.exec(Name)?.[1];
    if (id && name && PO_NAMES.has(plain(name))) return { id, name };
  }
  return null;
}

const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll("#", "no")
    .replaceAll(/[^a-z]/g, "");
