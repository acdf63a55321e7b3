import type { SessionCompany } from "#features/identity/contract.ts";
import { ConnectionCard } from "#features/invoices/web/upload/connection-card.tsx";
import { FirstSteps } from "#features/invoices/web/first-steps/first-steps.tsx";
import { createKeptText, type KeptText } from "#features/invoices/web/form/use-typed.ts";
import { CheckCard, FormCard, ReceiptCard, RememberedCard } from "#features/invoices/web/lazy-parts.ts";
import { PagePart } from "#features/invoices/web/results/page-part.tsx";
import { ResultsList } from "#features/invoices/web/results/results-list.tsx";
import { type SentFiles, SentFilesContext } from "#features/invoices/web/upload/sent-files.ts";
import { UploadCard } from "#features/invoices/web/upload/upload-card.tsx";
import { type ViewPart, useView } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { focusHeading } from "#web/kit/focus.ts";
import { PageTitle } from "#web/kit/page-title.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import { useMediaQuery } from "#web/kit/use-media-query.ts";
import Box from "@mui/material/Box";
import { useEffect, useRef, useState } from "react";

/** The Upload page: connection, upload, results; a check, a receipt or the form when the address names one. */
export function UploadPage() {
  const title = uploadWords.title(boot.product);
  return (
    <>
      <PageTitle documentTitle={uploadWords.documentTitle(boot.product)}>{title}</PageTitle>
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
  const [typed] = useState(createKeptText);
  const view = useView();
  const beside = useRoomBeside(view);
  const leave = (part: ViewPart) => {
    view.close(part);
    focusHeading();
  };
  if (company && view.receiptId) {
    return (
      <PagePart key={view.receiptId}>
        <ReceiptCard realmId={company.id} uploadId={view.receiptId} onClose={() => leave("receipt")} />
      </PagePart>
    );
  }
  const steps = <FirstSteps realmId={company?.id ?? null} />;
  return (
    <SentFilesContext value={sentFiles}>
      <ConnectionCard company={company} />
      <Box sx={{ display: beside ? "flex" : "block", columnGap: 3 }}>
        <Entry company={company} kept={typed} onLeave={leave} />
        {beside ? steps : null}
      </Box>
      {company && view.checkId ? (
        <PagePart key={view.checkId}>
          <CheckCard
            realmId={company.id}
            checkId={view.checkId}
            onReplaced={(checkId) => view.open("check", checkId)}
            onClose={() => leave("check")}
          />
        </PagePart>
      ) : null}
      <ResultsList realmId={company?.id ?? null} />
      {beside ? null : steps}
    </SentFilesContext>
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
