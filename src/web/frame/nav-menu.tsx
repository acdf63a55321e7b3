import type { NavEntry } from "#web/frame/nav-entries.ts";
import { NavLinks } from "#web/frame/nav-links.tsx";
import { frameWords } from "#web/frame/words.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from "react";

/** The same navigation for narrow screens: a button that opens the list below it. */
export function NavMenu({ entries }: { entries: readonly NavEntry[] }) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open) return;
    setOpen(false);
    opener.current?.focus();
  };
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  };
  return (
    <Box onKeyDown={onKeyDown} onBlur={onBlur}>
      <Button
        ref={opener}
        variant="outlined"
        color="inherit"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {frameWords.menu}
      </Button>
      <Box
        id={id}
        hidden={!open}
        sx={{
          position: "absolute",
          top: "100%",
          right: 0,
          left: 0,
          zIndex: "appBar",
          p: 1,
          borderBottom: 1,
          borderColor: "divider",
          backgroundColor: "background.paper",
          boxShadow: 4,
        }}
      >
        {open ? <NavLinks entries={entries} vertical onFollow={() => setOpen(false)} /> : null}
      </Box>
    </Box>
  );
}
