import { Icon } from "#web/kit/icon.tsx";
import { fieldLook } from "#web/kit/text-input.tsx";
import { radii } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { ChevronDown } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useId, useState } from "react";

const Frame = styled("div")({
  position: "relative",
  "& > svg": { position: "absolute", right: 12, top: "calc(50% - 8px)", pointerEvents: "none" },
});

const Input = styled("input")(({ theme }) => ({
  ...fieldLook(theme),
  boxSizing: "border-box",
  width: "100%",
  padding: "0 36px 0 12px",
  textOverflow: "ellipsis",
  "&::placeholder": { color: (theme.vars ?? theme).palette.text.caption, opacity: 1 },
}));

const List = styled("div")(({ theme }) => ({
  position: "absolute",
  top: "100%",
  right: 0,
  left: 0,
  zIndex: 5,
  margin: "4px 0 0",
  padding: "4px 0",
  maxHeight: 264,
  overflowY: "auto",
  borderRadius: radii.control,
  backgroundColor: (theme.vars ?? theme).palette.background.raised,
  boxShadow: "var(--shadow)",
  "@media (forced-colors: active)": { border: "1px solid" },
  "& > div": {
    display: "flex",
    alignItems: "center",
    minHeight: 40,
    padding: "4px 12px",
    boxSizing: "border-box",
    overflowWrap: "anywhere",
    cursor: "pointer",
    "&[aria-selected=true]": {
      backgroundColor: (theme.vars ?? theme).palette.background.sunken,
      "@media (forced-colors: active)": { outline: "2px solid", outlineOffset: -2 },
    },
  },
  [theme.breakpoints.down("sm")]: { "& > div": { minHeight: 44 } },
}));

export type ComboOption = { value: string; label: string };

type Props = {
  /** Read aloud, not shown. */
  label: string;
  placeholder: string;
  text: string;
  options: readonly ComboOption[];
  /** Said when a search has found nothing. */
  empty?: string | null;
  onType: (text: string) => void;
  onChoose: (option: ComboOption) => void;
  onBlur?: () => void;
};

/** One field to choose in and to search with: its choices open below while it has the focus. */
export function ComboField({ label, placeholder, text, options, empty = null, ...on }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const active = isOpen ? options[at] : undefined;
  const isShown = isOpen && options.length > 0;
  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const choose = (option: ComboOption) => {
    on.onChoose(option);
    close();
  };
  const move = (step: number) => {
    setOpen(true);
    setAt((before) => (before + step + options.length) % Math.max(1, options.length));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(at < 0 ? 0 : -1);
    else if (event.key === "Enter" && active) choose(active);
    else if (event.key === "Escape" && isOpen) close();
    else return;
    event.preventDefault();
  };
  return (
    <Frame>
      <Input
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        {...(active ? { "aria-activedescendant": `${id}-${at}` } : {})}
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => {
          on.onType(target.value);
          setOpen(true);
          setAt(-1);
        }}
        onClick={() => setOpen(true)}
        onFocus={({ target }: FocusEvent<HTMLInputElement>) => target.select()}
        onBlur={() => {
          close();
          on.onBlur?.();
        }}
        onKeyDown={onKeyDown}
      />
      <Icon of={ChevronDown} size="small" />
      <List
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        hidden={!isShown}
        tabIndex={-1}
        // The focus stays in the field, also when the list is scrolled by its bar.
        onMouseDown={(event) => event.preventDefault()}
      >
        {isShown
          ? options.map((option, index) => (
              <div
                key={option.value}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onMouseDown={() => choose(option)}
              >
                {option.label}
              </div>
            ))
          : null}
      </List>
      {empty !== null && isOpen ? <small role="status">{empty}</small> : null}
    </Frame>
  );
}
