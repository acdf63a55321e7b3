import type { SessionCompany } from "#features/identity/contract.ts";
import { downloadTemplate } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { saveDocument } from "#web/kit/documents.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Icon } from "#web/kit/icon.tsx";
import { PlainLink, TextLink } from "#web/kit/text-link.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { AnchorHTMLAttributes, ReactNode } from "react";

const words = uploadWords.help;

const List = styled("ul")(({ theme }) => ({
  listStyle: "none",
  margin: 0,
  padding: 0,
  "& > li": { padding: "12px 0", borderTop: `1px solid ${(theme.vars ?? theme).palette.divider}` },
  "& > li:first-of-type": { paddingTop: 0, borderTop: 0 },
  "& p": { margin: 0, ...typeScale.caption, color: (theme.vars ?? theme).palette.text.caption },
}));

const Bold = styled("span")({ fontWeight: 700 });

/** Template, samples in demo mode, and saved matches. */
export function HelpLinks({ company }: { company: SessionCompany | null }) {
  return (
    <Box
      component="aside"
      aria-label={words.title}
      data-print="never"
      sx={{
        alignSelf: "stretch",
        borderLeft: { md: 1 },
        borderTop: { xs: 1, md: 0 },
        borderColor: { xs: "divider", md: "divider" },
        pl: { md: 4 },
        pt: { xs: 2, md: 1.25 },
      }}
    >
      <List>
        {company ? (
          <OwnTemplate realmId={company.id} />
        ) : (
          <Entry hint={words.plainTemplateHint}>
            <TemplateLink href={uploadWords.template} />
          </Entry>
        )}
        {boot.demo ? <Samples /> : null}
        {company ? (
          <Entry hint={words.namesHint}>
            <TextLink to="?names=1">{words.names}</TextLink>
          </Entry>
        ) : null}
      </List>
    </Box>
  );
}

function Entry({ hint, children }: { hint?: string; children: ReactNode }) {
  return (
    <li>
      {children}
      {hint ? <p>{hint}</p> : null}
    </li>
  );
}

/** The template with the company's own lists. It takes a moment to make; a failure is shown. */
function OwnTemplate({ realmId }: { realmId: string }) {
  const query = { realm_id: realmId };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(downloadTemplate, { query }),
    onSuccess: (received) => saveDocument(received, words.templateName),
  });
  return (
    <Entry hint={words.ownTemplateHint}>
      <TemplateLink
        href={`${downloadTemplate.path}?${new URLSearchParams(query).toString()}`}
        aria-busy={isPending}
        onClick={(event) => {
          event.preventDefault();
          if (!isPending) mutate();
        }}
      />
      <FailedCall title={null} error={error} />
    </Entry>
  );
}

function TemplateLink(link: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <PlainLink
      {...link}
      download
      style={{ display: "inline-flex", alignItems: "center", gap: 8, fontWeight: 700 }}
    >
      <Icon of={Download} size="small" />
      {words.template}
    </PlainLink>
  );
}

function Samples() {
  return (
    <Entry>
      <Bold id="samples">{words.samples}</Bold>
      <Box component="span" role="group" aria-labelledby="samples" sx={{ display: "block" }}>
        {uploadWords.samples.map(({ label, href }, at) => (
          <span key={href}>
            {at === 0 ? "" : " · "}
            <PlainLink href={href} download>
              {label}
            </PlainLink>
          </span>
        ))}
      </Box>
    </Entry>
  );
}
