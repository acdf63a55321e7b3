import { resetDemo } from "#features/companies/contract.ts";
import { type StepName, stepStates, type StepStates } from "#features/invoices/web/first-steps/rules.ts";
import { stepWords as words } from "#features/invoices/web/first-steps/words.ts";
import { PAGE_SIZE, uploadsQuery } from "#features/invoices/web/queries.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { boot } from "#web/kit/boot.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Card } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { takeFocus } from "#web/kit/focus.ts";
import { Icon } from "#web/kit/icon.tsx";
import { useSessionFlag } from "#web/kit/storage.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck } from "lucide-react";
import { type ReactNode, useState } from "react";

/** The demo's checklist, ticked by the data that exists; hidden for the browser session when dismissed. */
export function FirstSteps({ realmId }: { realmId: string | null }) {
  const [hidden, hide] = useSessionFlag("firstStepsHidden");
  if (!boot.demo || hidden) return null;
  return <Steps realmId={realmId} onHide={hide} />;
}

function Steps({ realmId, onHide }: { realmId: string | null; onHide: () => void }) {
  const [sawBooks, openBooks] = useSessionFlag("sawBooks");
  const { data } = useQuery(uploadsQuery(realmId, PAGE_SIZE));
  const states = stepStates({ hasCompany: realmId !== null, uploads: data?.uploads ?? [], sawBooks });
  return <StepsCard states={states} onOpenBooks={openBooks} onHide={onHide} />;
}

type StepsProps = { states: StepStates; onOpenBooks: () => void; onHide: () => void };

/** The steps with their ticks, and links for those still to do; once all are done, only their count. */
export function StepsCard({ states, onOpenBooks, onHide }: StepsProps) {
  const done = Object.values(states).filter(Boolean).length;
  const isDone = done === Object.keys(states).length;
  const links: Record<StepName, ReactNode> = {
    connect: null,
    mistakes: (
      <PlainLink href={uploadWords.samples[1].href} download>
        {words.sample}
      </PlainLink>
    ),
    correct: null,
    books: boot.simulators ? (
      <PlainLink href={boot.simulators.intuit} onClick={onOpenBooks}>
        {words.open}
      </PlainLink>
    ) : null,
  };
  return (
    <Card title={words.title} printed={false} sx={{ flex: "0 0 22rem" }}>
      <p style={{ marginTop: 0 }}>{words.count(done, Object.keys(states).length)}</p>
      {isDone ? null : (
        <ol style={{ listStyle: "none", margin: "0 0 16px", padding: 0 }}>
          {(Object.keys(links) as StepName[]).map((name) => (
            <Step key={name} label={words.steps[name]} done={states[name]}>
              {states[name] ? null : links[name]}
            </Step>
          ))}
        </ol>
      )}
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-start", gap: 2 }}>
        <DemoReset />
        <Button color="inherit" onClick={onHide}>
          {words.hide}
        </Button>
      </Box>
    </Card>
  );
}

function Step({ label, done, children }: { label: string; done: boolean; children: ReactNode }) {
  return (
    <Box
      component="li"
      sx={{ display: "grid", gridTemplateColumns: "20px minmax(0, 1fr)", columnGap: 1.5, py: 0.75 }}
    >
      <Box component="span" sx={{ color: done ? "secondary.ink" : "text.caption", lineHeight: "24px" }}>
        <Icon of={done ? CircleCheck : Circle} />
      </Box>
      <span>
        {label} <span style={visuallyHidden}>{done ? words.done : words.notDone}</span> {children}
      </span>
    </Box>
  );
}

/** Resets the demo data after a confirmation. */
export function DemoReset() {
  const [isConfirming, setConfirming] = useState(false);
  const reset = useMutation({
    mutationFn: () => call(resetDemo, {}),
    // The page still holds the old data.
    onSuccess: () => window.location.assign("/app/"),
  });
  if (!isConfirming) {
    return (
      <Button variant="outlined" onClick={() => setConfirming(true)}>
        {words.reset}
      </Button>
    );
  }
  return (
    <div role="group" aria-label={words.reset}>
      <p style={{ marginTop: 0 }}>{words.resetQuestion}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2 }}>
        <BusyButton
          label={words.resetNow}
          variant="contained"
          color="cancel"
          isBusy={reset.isPending}
          onClick={reset.mutate}
        />
        {/* The first button is gone, so focus moves to the harmless answer. */}
        <Button ref={takeFocus} variant="outlined" onClick={() => setConfirming(false)}>
          {words.keep}
        </Button>
      </Box>
      <FailedCall title={words.resetError} error={reset.error} />
    </div>
  );
}
