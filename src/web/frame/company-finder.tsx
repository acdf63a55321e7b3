import type { SessionCompany } from "#features/identity/contract.ts";
import { CompanyOptions } from "#web/frame/company-options.tsx";
import { frameWords } from "#web/frame/words.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { ChevronDown } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from "react";

/** The company switch of people with many companies: a button that opens a field above a list of those it finds. */
export function CompanyFinder({ current }: { current: SessionCompany }) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && open) close();
    if (event.key === "ArrowDown" && !open) {
      event.preventDefault();
      setOpen(true);
    }
  };
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  };
  return (
    <Box onKeyDown={onKeyDown} onBlur={onBlur} sx={{ position: { sm: "relative" }, minWidth: 0 }}>
      <Button
        ref={opener}
        variant="outlined"
        aria-expanded={open}
        aria-controls={id}
        // Else the field would lose the keyboard first, which closes the list, and the click would open it again.
        onMouseDown={(event) => (open ? event.preventDefault() : undefined)}
        onClick={() => (open ? close() : setOpen(true))}
        sx={{
          maxWidth: { xs: "100%", sm: 280 },
          gap: { xs: 0.5, sm: 1 },
          px: { xs: 1, sm: 1.5 },
          py: 0.5,
          minHeight: { xs: 44, sm: 36 },
          borderColor: "line.strong",
          fontSize: "0.875rem",
          lineHeight: 1.25,
        }}
      >
        <span style={visuallyHidden}>{frameWords.company}&nbsp;</span>
        <span style={twoLines}>{current.name}</span>
        <Icon of={ChevronDown} size="small" />
      </Button>
      <Box id={id} hidden={!open} sx={panel}>
        {open ? <CompanyOptions current={current} onDone={close} /> : null}
      </Box>
    </Box>
  );
}

/** A long name is cut after its second line; the list shows all of it. */
const twoLines = {
  display: "-webkit-box",
  WebkitLineClamp: 2,
  WebkitBoxOrient: "vertical",
  overflow: "hidden",
  overflowWrap: "anywhere",
  textAlign: "left",
} as const;

/** Below the button; on a phone below the bar, as wide as the screen lets it be. */
const panel = {
  position: "absolute",
  top: "100%",
  right: { xs: 16, sm: 0 },
  left: { xs: 16, sm: "auto" },
  width: { sm: 360 },
  zIndex: "appBar",
  mt: 0.5,
  p: 2,
  borderRadius: "8px",
  backgroundColor: "background.raised",
  boxShadow: "var(--shadow)",
  "@media (forced-colors: active)": { border: "1px solid" },
} as const;
