import Box, { type BoxProps } from "@mui/material/Box";
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from "react";

type Opener = {
  ref: RefObject<HTMLButtonElement | null>;
  "aria-expanded": boolean;
  "aria-controls": string;
  onClick: () => void;
};

type Props = {
  /** Renders the button that opens the panel. */
  opener: (button: Opener, isOpen: boolean) => ReactNode;
  /** Renders the panel while it is open. */
  panel: (close: () => void) => ReactNode;
  sx: Extract<BoxProps["sx"], object>;
};

/** A panel below its button: Escape closes it and returns focus; moving focus elsewhere closes it too. */
export function Popover({ opener, panel, sx }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => setOpen(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return;
    close();
    button.current?.focus();
  };
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  };
  const props = {
    ref: button,
    "aria-expanded": isOpen,
    "aria-controls": id,
    onClick: () => setOpen(!isOpen),
  };
  return (
    <Box onKeyDown={onKeyDown} onBlur={onBlur} sx={{ position: { md: "relative" } }}>
      {opener(props, isOpen)}
      <Box
        id={id}
        hidden={!isOpen}
        // Otherwise a click on plain text inside would take focus away and close it.
        tabIndex={-1}
        sx={{
          position: "absolute",
          top: "100%",
          zIndex: "appBar",
          outline: "none",
          backgroundColor: "background.raised",
          boxShadow: "var(--shadow)",
          "@media (forced-colors: active)": { border: "1px solid" },
          ...sx,
        }}
      >
        {isOpen ? panel(close) : null}
      </Box>
    </Box>
  );
}
