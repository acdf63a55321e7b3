import type { SessionCompany } from "#features/identity/contract.ts";
import { ConnectionLine } from "#features/invoices/web/upload/connection-line.tsx";
import { HelpLinks } from "#features/invoices/web/upload/help-links.tsx";
import { createKeptText, type KeptText } from "#features/invoices/web/form/kept-text.ts";
import { FirstSteps } from "#features/invoices/web/first-steps/first-steps.tsx";
import {
  FormCard,
  NoAccess,
  ReceiptSection,
  RememberedCard,
  ReviewSection,
} from "#features/invoices/web/lazy-parts.ts";
import { PagePart } from "#features/invoices/web/results/page-part.tsx";
import { ResultsList } from "#features/invoices/web/results/results-list.tsx";
import { type SentFiles, SentFilesContext } from "#features/invoices/web/upload/sent-files.ts";
import { UploadCard } from "#features/invoices/web/upload/upload-card.tsx";
import { type ViewPart, useView } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { focusHeading, useHeadingFocus } from "#web/kit/focus.ts";
import { keptFileName } from "#web/kit/kept-file.ts";
import { ConnectButton } from "#web/kit/connect-button.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { ReconnectNotice } from "#web/kit/reconnect-notice.tsx";
import { UnpaidNotice } from "#web/kit/unpaid-notice.tsx";
import { Tabs } from "#web/kit/tabs.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/gates.tsx";
import Box from "@mui/material/Box";
import { type ReactNode, useEffect, useRef, useState } from "react";

const words = uploadWords.card;

/** The Upload page: connection, upload, results; a check, a receipt or the form when the address names one. */
export function UploadPage() {
  const { company, groups } = useSession();
  const { checkId, receiptId, form } = useView();
  // A review and a receipt take the page, with a heading of their own.
  const isOpen = company !== null && groups.includes("app");
  const isTaken = isOpen && (receiptId !== null || (checkId !== null && !form));
  const [beingSent, note] = useState<string | null>(null);
  const [sentFiles] = useState<SentFiles>(() => ({ byId: new Map(), note }));
  useHeadingFocus(isTaken ? "taken" : "own");
  return (
    <>
      {isTaken ? null : <Head />}
      <SignInGate kept={beingSent ?? keptWord({ checkId, form })}>
        <SentFilesContext value={sentFiles}>
          <AllowedOnly />
        </SentFilesContext>
      </SignInGate>
    </>
  );
}

/** What a user who signs in again finds as it was. */
function keptWord({ checkId, form }: { checkId: string | null; form: boolean }): string {
  const { typed, review, file, goesOn } = uploadWords.kept;
  if (form) return typed;
  const name = keptFileName("invoices");
  if (checkId) return review;
  return name === null ? goesOn : file(name);
}

const head = {
  title: uploadWords.title(boot.product),
  documentTitle: uploadWords.documentTitle(boot.product),
};

/** With the connection as its line, for those whom it concerns. */
function Head() {
  const { authStatus, company, groups } = useSession();
  if (authStatus !== "success" || !groups.includes("app")) return <PageHead {...head} />;
  return (
    <PageHead {...head} mark={company ? "on" : "off"}>
      <span data-print="never">
        {company ? <ConnectionLine company={company} /> : uploadWords.connection.none}
      </span>
    </PageHead>
  );
}

function AllowedOnly() {
  const { groups } = useSession();
  if (groups.includes("app")) return <UploadOfCompany />;
  return (
    <PagePart isQuiet>
      <NoAccess />
    </PagePart>
  );
}

function UploadOfCompany() {
  const { company } = useSession();
  const { closeAll } = useView();
  const shownId = useRef(company?.id);
  const id = company?.id;
  useEffect(() => {
    if (shownId.current !== undefined && shownId.current !== id) closeAll();
    shownId.current = id;
  }, [id, closeAll]);
  // A new key for each company: the file, the errors and the rows of the old one go at once.
  return <Parts key={id ?? "none"} company={company} />;
}

function Parts({ company }: { company: SessionCompany | null }) {
  const { email } = useSession();
  const [typed] = useState(() => createKeptText(`${email}.${company?.id ?? ""}`));
  const { close } = useView();
  const leave = (part: ViewPart) => {
    close(part);
    focusHeading();
  };
  return <Shown company={company} kept={typed} onLeave={leave} />;
}

/** A receipt or a check takes the page; a check of the typed form is shown with the form. */
function Shown({ company, kept, onLeave }: EntryProps) {
  const view = useView();
  if (company && view.receiptId) {
    return (
      <PagePart key={view.receiptId}>
        <ReceiptSection realmId={company.id} uploadId={view.receiptId} onClose={() => onLeave("receipt")} />
      </PagePart>
    );
  }
  const check =
    company && view.checkId ? (
      <Check
        realmId={company.id}
        checkId={view.checkId}
        isPage={!view.form}
        onLeave={() => onLeave("check")}
        {...(view.form ? {} : { onPosted: (id: string) => view.replace("check", "receipt", id) })}
      />
    ) : null;
  if (check && !view.form) return check;
  return (
    <Uploads company={company} kept={kept} onLeave={onLeave}>
      {check}
    </Uploads>
  );
}

/** The ways in, and what became of earlier uploads; a check of what is typed between them. */
function Uploads({ company, kept, onLeave, children }: EntryProps & { children: ReactNode }) {
  return (
    <>
      {company ? <ReconnectNotice /> : <ConnectButton />}
      <UnpaidNotice />
      <Entry company={company} kept={kept} onLeave={onLeave} />
      {children}
      <ResultsList realmId={company?.id ?? null} />
      <FirstSteps realmId={company?.id ?? null} />
    </>
  );
}

type CheckProps = {
  realmId: string;
  checkId: string;
  isPage: boolean;
  onLeave: () => void;
  /** Where it goes on once it is posted; by default it closes. */
  onPosted?: (uploadId: string) => void;
};

function Check({ realmId, checkId, isPage, onLeave, onPosted = onLeave }: CheckProps) {
  const { open } = useView();
  return (
    <PagePart key={checkId}>
      <ReviewSection
        realmId={realmId}
        checkId={checkId}
        isPage={isPage}
        onReplaced={(id) => open("check", id)}
        onPosted={onPosted}
        onClose={onLeave}
      />
    </PagePart>
  );
}

type EntryProps = {
  company: SessionCompany | null;
  kept: KeptText;
  onLeave: (part: ViewPart) => void;
};

/** The way invoices come in: a file or the form, or in its place what was remembered of earlier files. */
function Entry({ company, kept, onLeave }: EntryProps) {
  const view = useView();
  if (company && view.names) {
    return (
      <PagePart key="names">
        <RememberedCard realmId={company.id} onClose={() => onLeave("names")} />
      </PagePart>
    );
  }
  return (
    <Box component="section" aria-label={words.title} data-print="never" sx={view.form ? {} : beside}>
      <Ways company={company} kept={kept} />
      {view.form ? null : <HelpLinks company={company} />}
    </Box>
  );
}

const beside = {
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 288px" },
  gap: { xs: 4, md: 6 },
} as const;

const TABS = [
  { value: "file", label: words.file },
  { value: "form", label: words.form },
] as const;

/** A file, or the form, which needs a company to know its lists. */
function Ways({ company, kept }: Omit<EntryProps, "onLeave">) {
  const view = useView();
  if (!company) {
    return (
      <div>
        <UploadCard company={null} />
      </div>
    );
  }
  return (
    <div>
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
              checkId={view.checkId}
              onCheck={(checkId) => view.open("check", checkId)}
            />
          </PagePart>
        ) : (
          <UploadCard company={company} />
        )}
      </Tabs>
    </div>
  );
}
