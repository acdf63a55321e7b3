import { uploadWords } from "#features/invoices/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { styled } from "@mui/material/styles";

const FileLink = styled(PlainLink)({ display: "inline-flex", alignItems: "center", minHeight: 44 });

/** The template, and in demo mode the sample workbooks. */
export function TemplateLinks() {
  return (
    <>
      <FileLink href={uploadWords.template} download>
        {uploadWords.card.template}
      </FileLink>
      {boot.demo ? (
        <span style={{ display: "inline-flex", flexWrap: "wrap", alignItems: "center", columnGap: 12 }}>
          {uploadWords.card.samples}
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
