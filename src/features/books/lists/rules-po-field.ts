import * as z from "zod";

/** Intuit nests a company's custom fields two levels deep, as name/value pairs. */
const customFields = z
  .array(
    z.looseObject({
      CustomField: z.array(
        z.looseObject({
          Name: z.string(),
          StringValue: z.string().optional(),
          BooleanValue: z.boolean().optional().catch(undefined),
        }),
      ),
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
 * Finds the company's custom field for purchase order numbers, if it has one that is not switched off.
 * @param salesFormsFields `SalesFormsPrefs.CustomField` of the company's preferences, unparsed
 */
export function findPoField(salesFormsFields: unknown): { id: string; name: string } | null {
  const pairs = customFields.parse(salesFormsFields).flatMap(({ CustomField }) => CustomField);
  const isOff = (id: string) =>
    pairs.some(
      ({ Name, BooleanValue }) => Name === `SalesFormsPrefs.UseSalesCustom${id}` && BooleanValue === false,
    );
  for (const { Name, StringValue: name } of pairs) {
    const id = /^SalesFormsPrefs\.SalesCustomName([1-3])$/.exec(Name)?.[1];
    if (id && name && PO_NAMES.has(plain(name)) && !isOff(id)) return { id, name };
  }
  return null;
}

const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll("#", "no")
    .replaceAll(/[^a-z]/g, "");
