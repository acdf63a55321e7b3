import { fileWords as words } from "#features/sheets/web/words.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { formatBytes } from "#web/kit/format.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Button from "@mui/material/Button";
import { styled } from "@mui/material/styles";
import { type ChangeEvent, type DragEvent, type Ref, useRef, useState } from "react";

const Zone = styled("div")(({ theme }) => ({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 12,
  padding: 16,
  marginBottom: 16,
  borderRadius: 8,
  border: "2px dashed",
  borderColor: (theme.vars ?? theme).palette.text.secondary,
  "&[data-over='true']": { borderStyle: "solid", borderColor: (theme.vars ?? theme).palette.primary.main },
}));

/** Fingers drop nothing. */
const DropHint = styled("span")({ "@media (pointer: coarse)": { display: "none" } });

type Props = {
  file: File | null;
  disabled: boolean;
  chooseButton: Ref<HTMLButtonElement>;
  onChoose: (files: readonly File[]) => void;
};

/** Takes one workbook, by button or by drop. */
export function FilePicker({ file, disabled, chooseButton, onChoose }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    onChoose([...(event.target.files ?? [])]);
    // Else the browser would not report the same file chosen again.
    event.target.value = "";
  };
  const onDrag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type !== "dragleave" && !disabled);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!disabled) onChoose([...event.dataTransfer.files]);
  };
  return (
    <Zone data-over={over} onDragEnter={onDrag} onDragOver={onDrag} onDragLeave={onDrag} onDrop={onDrop}>
      <input
        ref={input}
        type="file"
        accept={XLSX_MEDIA_TYPE}
        aria-label={words.picker}
        tabIndex={-1}
        disabled={disabled}
        onChange={onChange}
        style={visuallyHidden}
      />
      <Button
        ref={chooseButton}
        variant="outlined"
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {words.choose}
      </Button>
      <ChosenFile file={file} disabled={disabled} onClear={() => onChoose([])} />
      <DropHint>{over ? words.dropNow : words.drop}</DropHint>
    </Zone>
  );
}

function ChosenFile({
  file,
  disabled,
  onClear,
}: {
  file: File | null;
  disabled: boolean;
  onClear: () => void;
}) {
  if (!file) return <span>{words.none}</span>;
  return (
    <span style={{ display: "inline-flex", alignItems: "center", gap: 4, minWidth: 0 }}>
      <span style={{ overflowWrap: "anywhere" }}>
        <strong>{file.name}</strong> {formatBytes(file.size)}
      </span>
      <Button
        color="inherit"
        disabled={disabled}
        aria-label={words.clear(file.name)}
        onClick={onClear}
        sx={{ minWidth: 44 }}
      >
        ✕
      </Button>
    </span>
  );
}
