import type { SessionCompany } from "#features/identity/contract.ts";
import type { UploadSummary } from "#features/invoices/contract.ts";
import { FilePicker, fileWords, refusalOf } from "#features/sheets/web/index.ts";
import { SentUpload } from "#features/invoices/web/upload/sent-upload.tsx";
import { SendControls, useSending } from "#features/invoices/web/upload/send-controls.tsx";
import { TemplateLinks } from "#features/invoices/web/upload/template-links.tsx";
import { useView } from "#features/invoices/web/use-view.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Card } from "#web/kit/card.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useRef, useState } from "react";

const words = uploadWords.card;
const helps = { mt: 3, pt: 1, borderTop: 1, borderColor: "divider" } as const;
const ways = {
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  columnGap: 3,
  rowGap: 1,
  mt: 1,
} as const;
const way = { display: "inline-flex", alignItems: "center", minHeight: 44 } as const;

/** Choosing a workbook, then sending it to be posted or to be checked first. */
export function UploadCard({ company }: { company: SessionCompany | null }) {
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState<UploadSummary | null>(null);
  const view = useView();
  const chooseButton = useRef<HTMLButtonElement>(null);
  const sending = useSending(company, ({ purpose }, summary) => {
    setFile(null);
    if (purpose === "check") view.open("check", summary.id);
    else setSent(summary);
  });
  const { upload } = sending;

  const choose = (chosen: readonly File[]) => {
    upload.forget();
    setSent(null);
    const next = chosen[0];
    const reason = chosen.length > 1 ? fileWords.refusals.several : next ? refusalOf(next) : null;
    setRefusal(reason);
    setFile(reason === null ? (next ?? null) : null);
  };
  return (
    <Card title={words.title} printed={false} sx={{ flex: 1, minWidth: 0 }}>
      <FilePicker
        chooseButton={chooseButton}
        file={file}
        disabled={!company || upload.isSending}
        onChoose={choose}
      />
      {company ? null : <p>{words.connectFirst}</p>}
      <SendControls
        sending={sending}
        fileOf={() => file}
        disabled={!company || !file}
        refusal={refusal}
        after={chooseButton}
      />
      {company && sent ? <SentUpload realmId={company.id} sent={sent} /> : null}
      <Box sx={helps}>
        <Box sx={ways}>
          <TemplateLinks company={company} />
        </Box>
        {company ? (
          <Box sx={ways}>
            <TextLink to="?form=1" style={way}>
              {words.form}
            </TextLink>
            <TextLink to="?names=1" style={way}>
              {words.names}
            </TextLink>
          </Box>
        ) : null}
      </Box>
    </Card>
  );
}
