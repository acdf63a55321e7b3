import { fileWords as words } from "#features/sheets/web/words.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { HiddenInput } from "#web/kit/hidden-input.tsx";
import { isCsv } from "#features/sheets/web/check-file.ts";
import { formatBytes } from "#web/kit/format.ts";
import { Icon } from "#web/kit/icon.tsx";
import { useFileDrop } from "#web/kit/use-file-drop.ts";
import { radii, typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { FileSpreadsheet, Upload, X } from "lucide-react";
import { type Ref, useRef } from "react";

const Zone = styled("div")(({ theme }) => ({
  display: "flex",
  alignItems: "center",
  gap: 20,
  boxSizing: "border-box",
  minHeight: 152,
  marginTop: 16,
  padding: "24px 32px",
  borderRadius: radii.panel,
  border: "1.5px dashed",
  borderColor: (theme.vars ?? theme).palette.line.control,
  backgroundColor: (theme.vars ?? theme).palette.background.sunken,
  "&[data-filled='true']": {
    border: "1px solid",
    borderColor: (theme.vars ?? theme).palette.line.strong,
    backgroundColor: (theme.vars ?? theme).palette.background.default,
  },
  "&[data-over='true']": {
    border: "2px solid",
    borderColor: (theme.vars ?? theme).palette.primary.ink,
  },
  [theme.breakpoints.down("sm")]: {
    gap: 16,
    minHeight: 136,
    padding: 20,
    flexWrap: "wrap",
    "& > [data-at=words]": { flexBasis: "calc(100% - 60px)" },
    "& > button:first-of-type": { flex: 1 },
  },
}));

const Words = styled("div")({ flex: "1 1 0", minWidth: 0, "& > p": { margin: 0, overflowWrap: "anywhere" } });
const Name = styled("p")({ ...typeScale.lead });
const Quiet = styled("p")(({ theme }) => ({ color: (theme.vars ?? theme).palette.text.secondary }));
const Caption = styled("p")(({ theme }) => ({
  ...typeScale.caption,
  color: (theme.vars ?? theme).palette.text.caption,
}));

/** Hidden on touch screens, where files can't be dropped. */
const NotTouched = styled("div")({ "& > p": { margin: 0 }, "@media (pointer: coarse)": { display: "none" } });

type Props = {
  file: File | null;
  disabled: boolean;
  chooseButton: Ref<HTMLButtonElement>;
  /** Maximum number of rows in a file. */
  maxRows: number;
  onChoose: (files: readonly File[]) => void;
};

/** Accepts one spreadsheet by button, which offers workbooks only, or by drop. */
export function FilePicker({ file, disabled, chooseButton, maxRows, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { isOver: over, handlers } = useFileDrop(onChoose, { isDisabled: disabled });
  return (
    <Zone data-over={over} data-filled={file !== null} {...handlers}>
      <HiddenInput
        ref={input}
        accept={XLSX_MEDIA_TYPE}
        label={words.picker}
        disabled={disabled}
        onChoose={onChoose}
      />
      <Box component="span" sx={{ lineHeight: 0, color: file ? "secondary.main" : "text.secondary" }}>
        <Icon of={file ? FileSpreadsheet : Upload} size={file ? 44 : "large"} />
      </Box>
      <Words data-at="words">
        {over ? <Name>{words.dropNow}</Name> : file ? <Chosen file={file} /> : null}
        {file || over ? null : <Takes maxRows={maxRows} />}
      </Words>
      <Button
        ref={chooseButton}
        variant="outlined"
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {file ? words.change : words.choose}
      </Button>
      {file ? (
        <Button
          variant="text"
          disabled={disabled}
          aria-label={words.clear(file.name)}
          onClick={() => onChoose([])}
          sx={{ minWidth: 40 }}
        >
          <Icon of={X} />
        </Button>
      ) : null}
    </Zone>
  );
}

function Takes({ maxRows }: { maxRows: number }) {
  return (
    <>
      <NotTouched>
        <Name>{words.drop}</Name>
      </NotTouched>
      <Quiet>{words.takes(maxRows)}</Quiet>
    </>
  );
}

function Chosen({ file }: { file: File }) {
  return (
    <>
      <Name>{file.name}</Name>
      <Quiet>{words.ready(formatBytes(file.size))}</Quiet>
      {isCsv(file) ? <Caption role="status">{words.isCsv}</Caption> : null}
      <NotTouched>
        <Caption>{words.replace}</Caption>
      </NotTouched>
    </>
  );
}
