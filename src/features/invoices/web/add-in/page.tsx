import { addInWords as words } from "#features/invoices/web/add-in/words.ts";
import { Card } from "#web/kit/card.tsx";
import { PageTitle } from "#web/kit/page-title.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { SignInGate } from "#web/kit/sign-in-gate.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactNode } from "react";

/** A picture of the add-in to come: every control is disabled and nothing is called. */
export function AddInPage() {
  return (
    <>
      <PageTitle>{words.title}</PageTitle>
      <SignInGate>
        <Card>
          <p style={{ marginTop: 0 }}>{words.preview}</p>
          <Notice tone="amber">{words.beta}</Notice>
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
          <DisabledButtons labels={[words.download]} />
        </Card>
        <Card title={words.stepsTitle}>
          <ol style={{ marginTop: 0 }}>
            {words.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <Notice tone="amber">{words.leak}</Notice>
        </Card>
      </SignInGate>
    </>
  );
}

function ControlRow({ children }: { children: ReactNode }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: 2, my: 2 }}>{children}</Box>
  );
}

function DisabledButtons({ labels }: { labels: readonly string[] }) {
  return labels.map((label) => (
    <Button key={label} variant="outlined" disabled>
      {label}
    </Button>
  ));
}
