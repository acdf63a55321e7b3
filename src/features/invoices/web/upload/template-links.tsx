import { downloadTemplate } from "#features/invoices/contract.ts";
import type { SessionCompany } from "#features/identity/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { DownloadButton } from "#web/kit/download-button.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import { styled } from "@mui/material/styles";

const words = uploadWords.card;

const FileLink = styled(PlainLink)({ display: "inline-flex", alignItems: "center", minHeight: 44 });

/** The template, the company's own one, and in demo mode the sample workbooks. */
export function TemplateLinks({ company }: { company: SessionCompany | null }) {
  return (
    <>
      <FileLink href={uploadWords.template} download>
        {words.template}
      </FileLink>
      {company ? (
        <DownloadButton
          look="link"
          type={words.ownTemplate}
          fileName={words.ownTemplateName}
          fetchDocument={() => call(downloadTemplate, { query: { realm_id: company.id } })}
        />
      ) : null}
      {boot.demo ? (
        <span style={{ display: "inline-flex", flexWrap: "wrap", alignItems: "center", columnGap: 12 }}>
          {words.samples}
          {uploadWords.samples.map(({ label, href }) => (
            <FileLink key={href} href={href} download>
              {label}
            </FileLink>
          ))}
        </span>
      ) : null}
    </>
  );
}
