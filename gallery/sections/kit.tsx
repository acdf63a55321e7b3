import { Documents } from "../sections/documents.tsx";
import { Parts } from "../sections/parts.tsx";
import { Row } from "../sample.tsx";
import { galleryWords } from "../words.ts";
import { Card } from "#web/kit/card.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { Notice } from "#web/kit/notice.tsx";
import type { Progress } from "#web/kit/progress/progress.ts";
import { ProgressBar } from "#web/kit/progress/progress-bar.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import { SignInButton } from "#web/kit/sign-in-button.tsx";
import { Spinner } from "#web/kit/spinner.tsx";
import { TextArea, TextInput } from "#web/kit/text-input.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";

const { parts, sample } = galleryWords;

/** From nothing sent to done. */
const progresses: readonly Progress[] = [
  { phase: "uploading", upload: 0, creep: 0, full: false },
  { phase: "uploading", upload: 30, creep: 0, full: false },
  { phase: "uploading", upload: 70, creep: 0, full: false },
  { phase: "uploading", upload: 100, creep: 0, full: false },
  { phase: "processing", upload: 100, creep: 40, full: false },
  { phase: "processing", upload: 100, creep: 40, full: true },
];

/** Components shared by all pages. */
export function KitSection() {
  return (
    <>
      <Buttons />
      <Parts />
      <Messages />
      <Fields />
      <Documents />
      <Card title={parts.progress}>
        {progresses.map((progress) => (
          <ProgressBar key={JSON.stringify(progress)} progress={progress} label={sample.file} />
        ))}
      </Card>
      <Card title={parts.waiting}>
        <Spinner label={sample.waiting} />
      </Card>
      <Card title={parts.signIn}>
        <SignInButton next="/gallery/" />
      </Card>
      <Card title={parts.typography}>
        {(["h3", "h4", "h5", "h6"] as const).map((level) => (
          <Typography key={level} variant={level} sx={{ mb: 1 }}>
            {sample.heading(Number(level[1]))}
          </Typography>
        ))}
        <p>
          <TextLink to="/gallery/">{sample.link}</TextLink>
        </p>
      </Card>
    </>
  );
}

function Buttons() {
  return (
    <Card title={parts.buttons}>
      {[false, true].map((disabled) => (
        <Row key={String(disabled)}>
          <Button variant="contained" disabled={disabled}>
            {disabled ? sample.disabled : sample.filled}
          </Button>
          <Button variant="contained" color="secondary" disabled={disabled}>
            {disabled ? sample.disabled : sample.small}
          </Button>
          <Button variant="contained" color="cancel" disabled={disabled}>
            {disabled ? sample.disabled : sample.cancel}
          </Button>
          <Button variant="outlined" disabled={disabled}>
            {disabled ? sample.disabled : sample.outlined}
          </Button>
          <Button variant="outlined" size="large" disabled={disabled}>
            {disabled ? sample.disabled : sample.large}
          </Button>
          <Button variant="outlined" size="small" disabled={disabled}>
            {disabled ? sample.disabled : sample.dense}
          </Button>
          <Button disabled={disabled}>{disabled ? sample.disabled : sample.text}</Button>
          <Button color="error" disabled={disabled}>
            {disabled ? sample.disabled : sample.danger}
          </Button>
        </Row>
      ))}
    </Card>
  );
}

function Messages() {
  return (
    <Card title={parts.messages}>
      <ErrorBlock title={sample.errorTitle} message={sample.error} role="group" />
      {(["gray", "red", "amber", "blue", "green"] as const).map((tone) => (
        <Notice key={tone} tone={tone} title={sample.tone(tone)}>
          <p>{sample.cure}</p>
        </Notice>
      ))}
    </Card>
  );
}

function Fields() {
  return (
    <Card title={parts.fields}>
      <Row>
        <TextInput label={sample.name} defaultValue={sample.value} />
        <TextInput label={sample.empty} placeholder={sample.placeholder} />
        <TextInput label={sample.wrong} defaultValue={sample.value} aria-invalid />
        <TextInput label={sample.disabled} placeholder={sample.placeholder} disabled />
      </Row>
      <Row>
        <SelectField
          label={sample.choice}
          labelAt="above"
          value={sample.choices[0]}
          options={sample.choices.map((label) => ({ value: label, label }))}
          onChange={() => undefined}
        />
      </Row>
      <TextArea label={sample.long} rows={3} defaultValue={sample.error} />
    </Card>
  );
}
