import type { SessionCompany } from "#features/identity/contract.ts";
import { ConnectionCard } from "#features/invoices/web/upload/connection-card.tsx";
import { FirstSteps } from "#features/invoices/web/first-steps/first-steps.tsx";
import { createKeptText, type KeptText } from "#features/invoices/web/form/kept-text.ts";
import { CheckCard, FormCard, ReceiptCard, RememberedCard } from "#features/invoices/web/lazy-parts.ts";
import { PagePart } from "#features/invoices/web/results/page-part.tsx";
import { ResultsList } from "#features/invoices/web/results/results-list.tsx";
import { type SentFiles, SentFilesContext } from "#features/invoices/web/upload/sent-files.ts";
import { UploadCard } from "#features/invoices/web/upload/upload-card.tsx";
import { type ViewPart, useView } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { focusHeading, useHeadingFocus } from "#web/kit/focus.ts";
import { PageTitle } from "#web/kit/page-title.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import { useMediaQuery } from "#web/kit/use-media-query.ts";
import Box from "@mui/material/Box";
import { type ReactNode, useEffect, useRef, useState } from "react";

/** The Upload page: connection, upload, results; a check, a receipt or the form when the address names one. */
export function UploadPage() {
  const { company } = useSession();
  const { checkId, receiptId, form } = useView();
  // A review and a receipt take the page, with a heading of their own.
  const isTaken = company !== null && (receiptId !== null || (checkId !== null && !form));
  useHeadingFocus(isTaken ? "taken" : "own");
  return (
    <>
      {isTaken ? null : (
        <PageTitle documentTitle={uploadWords.documentTitle(boot.product)}>
          {uploadWords.title(boot.product)}
        </PageTitle>
      )}
      <SignInGate>
        <UploadOfCompany />
      </SignInGate>
    </>
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
  const [sentFiles] = useState<SentFiles>(() => new Map());
  const { email } = useSession();
  const [typed] = useState(() => createKeptText(`${email}.${company?.id ?? ""}`));
  const { close } = useView();
  const leave = (part: ViewPart) => {
    close(part);
    focusHeading();
  };
  return (
    <SentFilesContext value={sentFiles}>
      <Shown company={company} kept={typed} onLeave={leave} />
    </SentFilesContext>
  );
}

/** A receipt or a check takes the page; a check of the typed form is shown with the form. */
function Shown({ company, kept, onLeave }: EntryProps) {
  const view = useView();
  if (company && view.receiptId) {
    return (
      <PagePart key={view.receiptId}>
        <ReceiptCard realmId={company.id} uploadId={view.receiptId} onClose={() => onLeave("receipt")} />
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
  const beside = useRoomBeside(useView());
  const steps = <FirstSteps realmId={company?.id ?? null} />;
  return (
    <>
      <ConnectionCard company={company} />
      <Box sx={{ display: beside ? "flex" : "block", columnGap: 3 }}>
        <Entry company={company} kept={kept} onLeave={onLeave} />
        {beside ? steps : null}
      </Box>
      {children}
      <ResultsList realmId={company?.id ?? null} />
      {beside ? null : steps}
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
      <CheckCard
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

/** The form and the saved choices take the full width. On narrow screens work and its results come first. */
function useRoomBeside({ form, names }: ReturnType<typeof useView>): boolean {
  const isWide = useMediaQuery("(min-width: 1200px)");
  return isWide && !form && !names;
}

type EntryProps = {
  company: SessionCompany | null;
  kept: KeptText;
  onLeave: (part: ViewPart) => void;
};

/** The way invoices come in: a file, the form, or in its place what was remembered of earlier files. */
function Entry({ company, kept, onLeave }: EntryProps) {
  const view = useView();
  if (company && view.names) {
    return (
      <PagePart key="names">
        <RememberedCard realmId={company.id} onClose={() => onLeave("names")} />
      </PagePart>
    );
  }
  if (company && view.form) {
    return (
      <PagePart key="form">
        <FormCard
          company={company}
          kept={kept}
          checkId={view.checkId}
          onCheck={(checkId) => view.open("check", checkId)}
          onClose={() => onLeave("form")}
        />
      </PagePart>
    );
  }
  return <UploadCard company={company} />;
}
