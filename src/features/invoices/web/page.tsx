import type { SessionCompany } from "#features/identity/contract.ts";
import { FirstSteps } from "#features/invoices/web/first-steps/first-steps.tsx";
import { createKeptText, type KeptText } from "#features/invoices/web/form/kept-text.ts";
import { FormCard, RememberedCard, ReviewSection } from "#features/invoices/web/lazy-parts.ts";
import { PagePart } from "#features/invoices/web/page-part.tsx";
import { ReceiptSection } from "#features/invoices/web/receipt/lazy-receipt.ts";
import { ResultsList } from "#features/invoices/web/results/results-list.tsx";
import { type UnmatchedFile, ColumnsStepContext } from "#features/invoices/web/upload/columns-step.ts";
import { ConnectionLine } from "#features/invoices/web/upload/connection-line.tsx";
import { HelpLinks } from "#features/invoices/web/upload/help-links.tsx";
import { UploadCard } from "#features/invoices/web/upload/upload-card.tsx";
import { type SentFiles, SentFilesContext } from "#features/invoices/web/upload/use-upload.tsx";
import { useView, type ViewPart } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { useIsConnectionLost } from "#web/kit/companies-query.ts";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { focusHeading, useHeadingFocus } from "#web/kit/focus.ts";
import { GroupGate } from "#web/kit/gates.tsx";
import { keptFileName, useKeptFile } from "#web/kit/kept-file.ts";
import { OneBand } from "#web/kit/notice.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { Tabs } from "#web/kit/tabs.tsx";
import { UnpaidNotice } from "#web/kit/unpaid-notice.tsx";
import Box from "@mui/material/Box";
import { type ComponentType, use, useEffect, useMemo, useRef, useState } from "react";

const words = uploadWords.card;

/** Part that other features fill: a line of what waits for the user. */
type PageParts = { Waiting: ComponentType<{ company: SessionCompany }> };

/** Upload page: connection, upload, results; a review or a receipt in its place when the address names one. */
export function UploadPage({ Waiting }: PageParts) {
  const { company, groups } = useSession();
  const { checkId, receiptId, form } = useView();
  // A review and a receipt fill the page and have their own headings.
  const isTaken = groups.includes("app") && company !== null && (receiptId !== null || checkId !== null);
  const [noteOnSending, note] = useState<string | null>(null);
  const [sentFiles] = useState<SentFiles>(() => ({ byId: new Map(), note }));
  const [unmatched, setUnmatched] = useState<UnmatchedFile | null>(null);
  const columnsStep = useMemo(() => ({ unmatched, setUnmatched }), [unmatched]);
  useHeadingFocus(isTaken ? "taken" : unmatched ? "columns" : "own");
  return (
    <ColumnsStepContext value={columnsStep}>
      {isTaken ? null : <Head />}
      <GroupGate group="app" kept={noteOnSending ?? keptNote({ checkId, form })}>
        <SentFilesContext value={sentFiles}>
          <UploadOfCompany Waiting={Waiting} />
        </SentFilesContext>
      </GroupGate>
    </ColumnsStepContext>
  );
}

/** Names what a user will find unchanged after signing in again. */
function keptNote({ checkId, form }: { checkId: string | null; form: boolean }): string {
  const { typed, review, file, continues } = uploadWords.kept;
  if (checkId) return review;
  if (form) return typed;
  const name = keptFileName("invoices");
  return name === null ? continues : file(name);
}

const head = {
  title: uploadWords.title(boot.product),
  documentTitle: uploadWords.documentTitle(boot.product),
};

/** Heading; users with access also see which company is connected. */
function Head() {
  const { authStatus, company, groups } = useSession();
  const { unmatched } = use(ColumnsStepContext);
  if (unmatched && company) return <ColumnsHead unmatched={unmatched} company={company} />;
  if (authStatus !== "success" || !groups.includes("app")) return <PageHead {...head} />;
  if (company) return <CompanyHead company={company} />;
  return (
    <PageHead {...head} mark="off">
      <span data-print="never">{uploadWords.connection.none}</span>
    </PageHead>
  );
}

function ColumnsHead({
  unmatched: { filename, leave },
  company,
}: {
  unmatched: UnmatchedFile;
  company: SessionCompany;
}) {
  const { title, here, line } = uploadWords.columns;
  return (
    <PageHead
      title={title(filename)}
      crumb={{ to: "/app/", parent: head.title, here, onFollow: leave }}
      mark="on"
    >
      {line(company.name)}
    </PageHead>
  );
}

function CompanyHead({ company }: { company: SessionCompany }) {
  const isLost = useIsConnectionLost(company.id);
  return (
    <PageHead {...head} mark={isLost ? "off" : "on"}>
      <span data-print="never">
        <ConnectionLine company={company} isLost={isLost} />
      </span>
    </PageHead>
  );
}

function UploadOfCompany({ Waiting }: PageParts) {
  const { company } = useSession();
  const { closeAll } = useView();
  const shownId = useRef(company?.id);
  const id = company?.id;
  useEffect(() => {
    if (shownId.current !== undefined && shownId.current !== id) closeAll();
    shownId.current = id;
  }, [id, closeAll]);
  // Keyed by company, so that the file, errors and rows of the old one disappear at once.
  return <Parts key={id ?? "none"} company={company} Waiting={Waiting} />;
}

/** A receipt or a review in place of the page; else the ways in and the results. */
function Parts({ company, Waiting }: PageParts & { company: SessionCompany | null }) {
  const { email } = useSession();
  const [typed] = useState(() => createKeptText(`${email}.${company?.id ?? ""}`));
  const view = useView();
  const isLost = useIsConnectionLost(company?.id ?? null);
  const { unmatched } = use(ColumnsStepContext);
  const leave = (part: ViewPart) => {
    view.close(part);
    focusHeading();
  };
  if (company && view.receiptId) {
    return (
      <PagePart key={view.receiptId}>
        <ReceiptSection realmId={company.id} uploadId={view.receiptId} onClose={() => leave("receipt")} />
      </PagePart>
    );
  }
  if (company && view.checkId) {
    return (
      <PagePart key={view.checkId}>
        <ReviewSection
          realmId={company.id}
          checkId={view.checkId}
          isTyped={view.form}
          onReplaced={(id) => view.open("check", id)}
          onPosted={(id) => view.replace("check", "receipt", id)}
          onClose={() => leave("check")}
        />
      </PagePart>
    );
  }
  return (
    <>
      {company ? null : <ConnectButton />}
      <OneBand>
        {company ? <ReconnectNotice /> : null}
        <UnpaidNotice />
      </OneBand>
      <Entry company={company} kept={typed} onLeave={leave} />
      {unmatched ? null : (
        <>
          <ResultsList
            realmId={company?.id ?? null}
            isLost={isLost}
            note={company ? <Waiting company={company} /> : null}
          />
          <FirstSteps realmId={company?.id ?? null} />
        </>
      )}
    </>
  );
}

type EntryProps = {
  company: SessionCompany | null;
  kept: KeptText;
  onLeave: (part: ViewPart) => void;
};

/** Card for a file or typed invoices, or the saved matches in its place. */
function Entry({ company, kept, onLeave }: EntryProps) {
  const view = useView();
  const { unmatched } = use(ColumnsStepContext);
  const chosen = useKeptFile("invoices", company);
  if (company && view.names) {
    return (
      <PagePart key="names">
        <RememberedCard realmId={company.id} onClose={() => onLeave("names")} />
      </PagePart>
    );
  }
  return (
    <Box
      component="section"
      aria-label={words.title}
      data-print="never"
      sx={unmatched ? alone : view.form ? {} : beside}
    >
      <div>
        {company ? (
          <Ways company={company} kept={kept} chosen={chosen} />
        ) : (
          <UploadCard company={null} chosen={chosen} />
        )}
      </div>
      {view.form || unmatched ? null : <HelpLinks company={company} />}
    </Box>
  );
}

const beside = {
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 288px" },
  gap: { xs: 4, md: 6 },
} as const;

/** The tabs stay where they are, with the file that was chosen in them. */
const alone = { "& > div > [role=tablist]": { display: "none" } } as const;

const TABS = [
  { value: "file", label: words.file },
  { value: "form", label: words.form },
] as const;

type WaysProps = {
  company: SessionCompany;
  kept: KeptText;
  chosen: ReturnType<typeof useKeptFile>;
};

/** Tabs for a file and for the form, which needs a company for its lists. */
function Ways({ company, kept, chosen }: WaysProps) {
  const view = useView();
  return (
    <Tabs
      label={words.ways}
      value={view.form ? "form" : "file"}
      tabs={TABS}
      onChange={(way) => (way === "form" ? view.open("form", "1") : view.close("form"))}
    >
      {view.form ? (
        <PagePart key="form" isQuiet>
          <FormCard
            company={company}
            kept={kept}
            onCheck={(checkId) => view.open("check", checkId)}
            onFile={(file) => {
              chosen[1](file);
              view.close("form");
            }}
          />
        </PagePart>
      ) : (
        <UploadCard company={company} chosen={chosen} />
      )}
    </Tabs>
  );
}
