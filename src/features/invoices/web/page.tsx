import { ConnectionCard } from "#features/invoices/web/connection-card.tsx";
import { ResultsList } from "#features/invoices/web/results-list.tsx";
import { UploadCard } from "#features/invoices/web/upload-card.tsx";
import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { PageTitle } from "#web/kit/page-title.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";

/** The Upload page: connection, upload, results. */
export function UploadPage() {
  const title = uploadWords.title(boot.product);
  return (
    <>
      <PageTitle documentTitle={`Upload · ${boot.product}`}>{title}</PageTitle>
      <SignInGate>
        <UploadOfCompany />
      </SignInGate>
    </>
  );
}

function UploadOfCompany() {
  const { company } = useSession();
  // A new key for each company: the file, the errors and the rows of the old one go at once.
  return (
    <div key={company?.id ?? "none"}>
      <ConnectionCard company={company} />
      <UploadCard company={company} />
      {company ? <ResultsList realmId={company.id} /> : null}
    </div>
  );
}
