import { ALL, receiptQuery } from "#features/invoices/web/receipt/queries.ts";
import { FixReceipt, ReceiptBand } from "#features/invoices/web/receipt/receipt-band.tsx";
import { receiptWords as words } from "#features/invoices/web/receipt/words.ts";
import { SectionHead } from "#web/kit/card.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";

type Props = {
  realmId: string;
  uploadId: string;
  /** True for typed invoices: those with a problem are still in the form. */
  isTyped: boolean;
  /** Shown until the receipt is read. */
  children: ReactNode;
};

/** Beside the form there is less room between the figures. */
const NARROW = { mt: 3, "& dl > div": { pr: "16px !important", mr: "16px !important" } };

/** Head and totals of a receipt in place of the file that was sent, with a link to the complete one. */
export function SentReceipt({ realmId, uploadId, isTyped, children }: Props) {
  const { data, isPending } = useInfiniteQuery(receiptQuery(realmId, uploadId, ALL));
  const receipt = data?.pages[0];
  // Without a receipt the upload is one of a demo that was reset.
  if (!receipt) return isPending ? children : null;
  return (
    <Box component="section" aria-label={words.title(receipt.filename)} sx={NARROW}>
      <SectionHead title={words.heading(receipt)} note={words.sentLine(receipt)} />
      <ReceiptBand receipt={receipt} isQuiet>
        <Button variant="outlined" size="large" component={Link} to={`?receipt=${uploadId}`}>
          {words.view}
        </Button>
        {isTyped ? null : <FixReceipt receipt={receipt} />}
      </ReceiptBand>
    </Box>
  );
}
