import { readProof, type TrackedDetailsView, type TrackedPackageView } from "#features/tracking/contract.ts";
import { calm, calmPlace } from "#features/tracking/web/calm.ts";
import { formatMoment, formatScanInFull } from "#features/tracking/web/format-time.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { DownloadButton } from "#web/kit/document-buttons.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { UpsNumber } from "#web/kit/ups-number.tsx";
import { radii, shadow } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";

const words = trackingWords.proof;

/** Paper is white in every theme. */
const Paper = styled("figure")({
  boxSizing: "border-box",
  width: "100%",
  maxWidth: 264,
  minHeight: 168,
  margin: 0,
  padding: "16px 16px 24px",
  borderRadius: radii.chip,
  fontSize: "0.6875rem",
  lineHeight: 16 / 11,
  color: "#111",
  backgroundColor: "#fff",
  boxShadow: shadow.light,
  forcedColorAdjust: "none",
  "& > figcaption": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "baseline",
    justifyContent: "space-between",
    gap: "0 8px",
    marginBottom: 8,
    paddingBottom: 8,
    borderBottom: "1px solid #111",
  },
  "& > figcaption > b": { fontSize: "0.9375rem", lineHeight: 20 / 15 },
  "& dl": { margin: 0 },
  "& dl > div": { display: "flex", flexWrap: "wrap", justifyContent: "space-between", gap: "0 12px" },
  "& dt": { color: "#565452" },
  "& dd": { margin: 0, marginLeft: "auto", fontWeight: 700, textAlign: "right", overflowWrap: "anywhere" },
});

type Props = { realmId: string; invoice: TrackedDetailsView; of: TrackedPackageView; children: ReactNode };

const hasProof = ({ proof: { state } }: TrackedPackageView) => state === "carrier" || state === "activity";

/** The proof of delivery of a package, where it is, and below that what else was written on the invoice. */
export function Proof({ invoice, of, children }: Omit<Props, "realmId">) {
  const isHere = hasProof(of);
  return (
    <Box
      component="section"
      aria-label={words.label}
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: isHere ? "264px minmax(0, 1fr)" : "minmax(0, 1fr)" },
        alignItems: "center",
        gap: { xs: 2, sm: 3, lg: 4 },
        mt: 3,
        pt: 3,
        borderTop: 1,
        borderColor: "line.strong",
      }}
    >
      {isHere ? <ProofPaper of={of} /> : null}
      <Box sx={{ minWidth: 0, "& > p": { m: 0 }, "& > p + p": { mt: 0.5 } }}>
        <Where invoice={invoice} of={of} />
        {children}
      </Box>
    </Box>
  );
}

/** Downloads the proof as PDF, once there is one. */
export function ProofButton({ realmId, of }: Pick<Props, "realmId" | "of">) {
  return (
    <DownloadButton
      type={words.download}
      detail={words.ofNumber(of.number)}
      fileName={hasProof(of) ? words.fileName(of.number) : null}
      fetchDocument={() =>
        call(readProof, { params: { number: of.number }, query: { realm_id: realmId }, realmId })
      }
    />
  );
}

/** The first page of the proof, drawn from its facts. */
function ProofPaper({ of }: { of: TrackedPackageView }) {
  const { rows } = words;
  const facts: [name: string, value: ReactNode][] = [
    [rows.number, <UpsNumber key="number" of={of.number} />],
    [rows.service, of.service],
    [rows.delivered, of.delivered ? formatScanInFull(of.delivered) : ""],
    [rows.place, calmPlace(of.delivered?.place ?? "")],
    [rows.leftAt, calm(of.left_at)],
    [rows.receivedBy, of.received_by],
  ];
  return (
    <Paper aria-label={words.label}>
      <figcaption>
        <b>{words.label}</b> <span>{of.proof.state === "activity" ? words.made : words.carrier}</span>
      </figcaption>
      <dl>
        {facts.map(([name, value]) =>
          value === "" ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </Paper>
  );
}

/** Says where the proof is, or when there will be one. */
function Where({ invoice, of }: Pick<Props, "invoice" | "of">) {
  const { state, attached_at: since, due_at: due, problem } = of.proof;
  switch (state) {
    case "none":
      if (of.state === "voided" || of.state === "ended") return null;
      return <Muted>{problem === "" ? words.ahead : `${words.aheadHere} ${problem}`}</Muted>;
    case "waiting":
      return (
        <>
          <p>
            <b>{words.waiting}</b>
          </p>
          <Muted>{due === null ? words.askedSoon : words.askedAgain(formatMoment(due))}</Muted>
        </>
      );
    case "gone":
      return (
        <>
          <p>
            <b>{words.gone}</b>
          </p>
          <Muted>{words.goneText}</Muted>
        </>
      );
    case "carrier":
    case "activity":
      return (
        <>
          {since === null ? (
            <p>
              <b>{words.kept}</b>
            </p>
          ) : (
            <Box component="p" sx={{ fontWeight: 700, color: "secondary.ink", textWrap: "balance" }}>
              <Icon of={CircleCheck} /> {words.attached(invoice.number, formatMoment(since))}
            </Box>
          )}
          {since === null ? <Muted>{problem === "" ? words.soon : problem}</Muted> : null}
          {state === "activity" ? <Muted>{words.activity}</Muted> : null}
        </>
      );
  }
}

function Muted({ children }: { children: string }) {
  return (
    <Box component="p" sx={{ color: "text.secondary" }}>
      {children}
    </Box>
  );
}
