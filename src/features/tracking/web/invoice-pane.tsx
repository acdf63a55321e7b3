import { readPack, type TrackedDetailsView, type TrackedPackageView } from "#features/tracking/contract.ts";
import { formatHour, formatScanDay } from "#features/tracking/web/format-time.ts";
import { Proof, ProofButton } from "#features/tracking/web/proof.tsx";
import { InvoiceChip, StateChip } from "#features/tracking/web/state-chip.tsx";
import { Timeline } from "#features/tracking/web/timeline.tsx";
import type { Selection } from "#features/tracking/web/use-selection.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { Written } from "#features/tracking/web/written.tsx";
import { call } from "#web/kit/api-client.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { Facts } from "#web/kit/lists.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { UpsNumber } from "#web/kit/ups-number.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import Typography from "@mui/material/Typography";
import { ExternalLink } from "lucide-react";
import { Link } from "react-router";
import { joinList } from "#web/kit/join-list.ts";

const words = trackingWords.invoice;

type Props = {
  realmId: string;
  invoice: TrackedDetailsView;
  selection: Selection;
  /** The page has a heading with the customer. */
  hasHeading: boolean;
};

/** An invoice with its packages: where the chosen one is, its proof, and what was written on the invoice. */
export function InvoicePane({ realmId, invoice, selection, hasHeading }: Props) {
  const shown = choosePackage(invoice, selection.number);
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: "8px 32px" }}>
        <Box sx={{ flex: "1 1 16rem", minWidth: 0, overflowWrap: "anywhere" }}>
          {hasHeading ? null : (
            <Typography variant="h2" id="package-heading" sx={{ m: 0 }}>
              {invoice.customer}
            </Typography>
          )}
          <InvoiceFacts invoice={invoice} shown={shown} />
        </Box>
        <InvoiceChip invoice={invoice} />
      </Box>
      <OtherCarriers names={invoice.not_followed} />
      {invoice.details.length > 1 ? <Packages invoice={invoice} shown={shown} selection={selection} /> : null}
      {shown ? <Timeline key={shown.number} of={shown} /> : null}
      {shown ? (
        <Proof invoice={invoice} of={shown}>
          <InBooks realmId={realmId} invoice={invoice} shown={shown} />
        </Proof>
      ) : (
        <Box sx={{ mt: 3, "& > p": { m: 0 } }}>
          <InBooks realmId={realmId} invoice={invoice} shown={shown} />
        </Box>
      )}
      <Pack realmId={realmId} invoice={invoice} />
    </>
  );
}

/** The package of the address, else the one that its invoice's state is about. */
const choosePackage = ({ details, state }: TrackedDetailsView, number: string | null) =>
  details.find((detail) => detail.number === number) ??
  details.find((detail) => detail.state === state) ??
  details[0];

type FactsProps = { invoice: TrackedDetailsView; shown: TrackedPackageView | undefined };

/** Invoice, service and due day; the number too, unless the packages are listed below. */
function InvoiceFacts({ invoice, shown }: FactsProps) {
  const { number, url, details } = invoice;
  return (
    <Box sx={{ color: "text.secondary" }}>
      <Facts>
        <span>
          {words.label}{" "}
          <PlainLink href={url} target="_blank" rel="noopener noreferrer" aria-label={words.inBooks(number)}>
            {number === "" ? words.noNumber : number}
          </PlainLink>
        </span>
        {details.length > 1 ? <span>{words.packages(details.length)}</span> : null}
        {shown && shown.service !== "" ? <span>{shown.service}</span> : null}
        {shown ? <Due of={shown} /> : null}
        {shown && details.length === 1 ? (
          <span>
            <UpsNumber of={shown.number} />
          </span>
        ) : null}
      </Facts>
    </Box>
  );
}

/** Until when a waiting package can be picked up, or when one on its way comes. */
function Due({ of }: { of: TrackedPackageView }) {
  const { state, scheduled_on: due, due_hours: hours, pickup_by: pickupBy } = of;
  if (state === "delivered") return null;
  if (state === "held" && pickupBy !== null) return <span>{words.pickupBy(formatScanDay(pickupBy))}</span>;
  if (due === null) return null;
  const day = formatScanDay(due);
  if (hours === null) return <span>{words.due(day)}</span>;
  const [from, until] = [hours.from, hours.until].map((time) => formatHour(time));
  return <span>{words.dueBetween(day, from ?? "", until ?? "")}</span>;
}

function OtherCarriers({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Notice tone="blue" role="group">
      <p>{words.otherCarriers(joinList(names), names.length)}</p>
    </Notice>
  );
}

const PackageLink = styled(Link)(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "space-between",
    gap: "2px 12px",
    minHeight: 44,
    boxSizing: "border-box",
    padding: "6px 12px",
    borderBottom: `1px solid ${palette.divider}`,
    color: "inherit",
    textDecoration: "none",
    "@media (hover: hover)": { "&:hover": { backgroundColor: palette.background.hover } },
    "&[aria-current]": {
      fontWeight: 700,
      backgroundColor: palette.background.sunken,
      boxShadow: `inset 3px 0 0 ${palette.text.primary}`,
    },
    "@media (forced-colors: active)": { "&[aria-current]": { borderLeft: "5px solid" } },
    "html body &:focus-visible": { outlineOffset: -3 },
  };
});

/** The packages of an invoice, one of which is shown below. */
function Packages({ invoice, shown, selection }: FactsProps & Pick<Props, "selection">) {
  return (
    <Box
      component="ul"
      aria-label={words.packages(invoice.details.length)}
      sx={{ listStyle: "none", m: 0, mt: 2, p: 0, borderTop: 1, borderColor: "line.strong" }}
    >
      {invoice.details.map((detail) => (
        <li key={detail.number}>
          <PackageLink
            to={selection.toPackage(invoice.id, detail.number)}
            {...(detail === shown ? { "aria-current": "true" as const } : {})}
          >
            <UpsNumber of={detail.number} />
            <StateChip {...detail} />
          </PackageLink>
        </li>
      ))}
    </Box>
  );
}

/** The written values, the proof as a file, and the invoice in QuickBooks. */
function InBooks({ realmId, invoice, shown }: FactsProps & Pick<Props, "realmId">) {
  return (
    <>
      <Written of={invoice.written} />
      <Box
        sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "8px 16px", mt: 2 }}
        data-print="never"
      >
        {shown ? <ProofButton realmId={realmId} of={shown} /> : null}
        <Button
          variant="text"
          href={invoice.url}
          target="_blank"
          rel="noopener noreferrer"
          sx={{ "&:first-of-type": { ml: -1 } }}
        >
          {trackingWords.open} <Icon of={ExternalLink} size="small" />
        </Button>
      </Box>
    </>
  );
}

/** One file with all documents, for a dispute. */
function Pack({ realmId, invoice }: Pick<Props, "realmId" | "invoice">) {
  const { pack } = trackingWords;
  return (
    <Box
      data-print="never"
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: "0 16px",
        mt: 3,
        pt: 1.5,
        borderTop: 1,
        borderColor: "divider",
      }}
    >
      <Box sx={{ ml: -1 }}>
        <DownloadButton
          type={pack.type}
          fileName={pack.fileName(invoice.number)}
          look="action"
          fetchDocument={() =>
            call(readPack, { params: { invoice_id: invoice.id }, query: { realm_id: realmId }, realmId })
          }
        />
      </Box>
      <Box component="span" sx={{ flex: "1 1 14rem", typography: "caption", color: "text.caption" }}>
        {pack.text}
      </Box>
    </Box>
  );
}
