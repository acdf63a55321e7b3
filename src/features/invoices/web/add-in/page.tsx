import { addInWords as words } from "#features/invoices/web/add-in/words.ts";
import { Card } from "#web/kit/card.tsx";
import { SignInGate } from "#web/kit/gates.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { PageHead } from "#web/kit/page-head.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";

/** Mock-up of the planned add-in: every control is disabled and nothing is called. */
export function AddInPage() {
  return (
    <>
      <PageHead title={words.title}>{words.preview}</PageHead>
      <SignInGate>
        <Box
          sx={{
            display: "grid",
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) minmax(0, 320px)" },
            columnGap: 6,
          }}
        >
          <Access />
          <Steps />
        </Box>
      </SignInGate>
    </>
  );
}

function Access() {
  return (
    <Card title={words.accessTitle} sx={{ mt: 0 }}>
      <Notice tone="amber" title={words.beta}>
        <p>{words.betaText}</p>
      </Notice>
      <ControlRow>
        <TextInput label={words.token} placeholder={words.tokenPlaceholder} disabled readOnly />
        <DisabledButtons labels={[words.copy, words.newToken, words.invalidate]} />
      </ControlRow>
      <ControlRow>
        <TextInput
          label={words.password}
          placeholder={words.passwordPlaceholder}
          type="password"
          disabled
          required
        />
        <DisabledButtons labels={[words.save, words.rejectAll]} />
      </ControlRow>
      <ControlRow>
        <DisabledButtons labels={[words.download]} />
      </ControlRow>
    </Card>
  );
}

/** Text after a line, beside what it explains. */
function Steps() {
  return (
    <Card
      title={words.stepsTitle}
      sx={{
        mt: { xs: 5, md: 0 },
        pl: { md: 4 },
        borderLeft: { md: 1 },
        borderColor: { md: "divider" },
      }}
    >
      <Box component="ol" sx={{ m: 0, pl: 2.5, "& li": { py: 0.75 } }}>
        {words.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </Box>
      <p>
        <b>{words.leak}</b> {words.leakText}
      </p>
    </Card>
  );
}

function ControlRow({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 1.5, my: 3 }}>{children}</Box>
  );
}

function DisabledButtons({ labels }: { labels: readonly string[] }) {
  return labels.map((label) => (
    <Button key={label} variant="outlined" disabled>
      {label}
    </Button>
  ));
}
