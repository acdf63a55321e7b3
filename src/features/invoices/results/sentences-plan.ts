import { spellDate } from "#formats/table/dates.ts";
import type { Cause } from "#platform/writes/evidence.ts";

type Params = Cause["params"];

/** Why the plan of an upload leaves an invoice out or holds it back, and what to do. */
export const PLAN_SENTENCES: Readonly<Record<string, (params: Params) => string>> = {
  same_file: (params) => {
    const when = `already uploaded on ${dayOf(params)} in "${params["file"]}"`;
    const { name, books } = earlierOf(params);
    switch (books) {
      case "in_doubt":
        return `Skipped: ${when}, and QuickBooks never confirmed this invoice. Look for it in QuickBooks; if it isn't there, give it a new number (or change the row) and upload again.`;
      case "open":
        return `Skipped: ${when}, and that upload was still working on this invoice. See its results.`;
      case "there":
      case "posted":
        return `Skipped: ${when}${name}.`;
      default:
        return `Skipped: ${when}${name}, which was ${books} in QuickBooks since. To post it again, put its rows into a new file and upload that.`;
    }
  },
  equal: (params) => {
    const when = `an identical invoice was uploaded on ${dayOf(params)} in row ${params["row"]} of "${params["file"]}"`;
    const { number, books } = earlierOf(params);
    if (books === "in_doubt")
      return `Skipped: ${when}, and QuickBooks never confirmed it. Look for it in QuickBooks; if it isn't there, give this one an Invoice No and upload again.`;
    const where =
      books === "there" || books === "posted"
        ? `${THERE[books]}${number}`
        : "that upload was still working on it (see its results)";
    return `Skipped: ${when}, and ${where}. If this is another one, give it an Invoice No of its own and upload again; or check the file and choose "Post these too".`;
  },
  all_or_nothing: ({ faulty }) => {
    const invoices = faulty === 1 ? "1 invoice has errors" : `${faulty} invoices have errors`;
    return `Not posted: you asked for all or nothing, and ${invoices}. Correct them and upload the file again.`;
  },
};

const dayOf = ({ day }: Params) => spellDate(String(day));

const earlierOf = ({ number, books }: Params) => ({
  name: number ? ` (invoice ${number})` : "",
  number: number ? ` as invoice ${number}` : "",
  books,
});

/** What was not looked up, or may not be shown yet, is not said to be seen. */
const THERE = { there: "is in QuickBooks", posted: "was posted" };
