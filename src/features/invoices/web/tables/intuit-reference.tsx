import { uploadWords as words } from "#features/invoices/web/words.ts";
import { styled } from "@mui/material/styles";

const Reference = styled("small")(({ theme }) => ({
  display: "block",
  color: (theme.vars ?? theme).palette.text.secondary,
}));

/** What Intuit's support asks for when it is called about a problem. */
export function IntuitReference({ tids }: { tids: string | null | undefined }) {
  return tids ? <Reference>{words.intuitReference(tids)}</Reference> : null;
}
