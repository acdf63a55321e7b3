import type { SessionCompany } from "#features/identity/contract.ts";
import { frameWords } from "#web/frame/words.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { ChevronDown, Check } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState, useEffect } from "react";
import { findCompanies, useSession } from "#web/kit/session/session.ts";
import { takeFocus } from "#web/kit/focus.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import { kitWords } from "#web/kit/words.ts";

/** Company switch for users with many companies: a button that opens a search field above a list. */
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
        // Keeps focus in the field: losing it closes the list, and the click would open it again.
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

/** A long name is truncated after its second line; the list shows it in full. */
const twoLines = {
  display: "-webkit-box",
  WebkitLineClamp: 2,
  WebkitBoxOrient: "vertical",
  overflow: "hidden",
  overflowWrap: "anywhere",
  textAlign: "left",
} as const;

/** Below the button; on a phone below the bar, as wide as the screen allows. */
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

const words = kitWords.companies;

type Props = { current: SessionCompany; onDone: () => void };

/**
 * A field that finds companies by name, and the list of matches. Focus stays in the field: arrow keys move
 * through the list, Enter chooses.
 */
function CompanyOptions({ current, onDone }: Props) {
  const { companies, switchCompany } = useSession();
  const announce = useAnnounce();
  const [text, setText] = useState("");
  const [at, setAt] = useState(() => Math.max(0, companies.indexOf(current)));
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const found = findCompanies(companies, text);
  useEffect(() => {
    // Braces: newer browsers return a promise, which isn't a clean-up.
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const find = (wanted: string) => {
    setText(wanted);
    setAt(0);
    announce(words.found(findCompanies(companies, wanted).length), "passing");
  };
  const choose = (company: SessionCompany | undefined) => {
    if (!company) return;
    if (company.id !== current.id) switchCompany(company.id);
    onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step === undefined) choose(found[at]);
    else if (found.length > 0) setAt((at + step + found.length) % found.length);
  };
  return (
    <>
      <TextInput
        ref={takeFocus}
        label={words.find}
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={id}
        {...(found[at] ? { "aria-activedescendant": `${id}-${found[at].id}` } : {})}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => find(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Box
        component="ul"
        ref={list}
        id={id}
        role="listbox"
        aria-label={words.list}
        // A click keeps focus in the field.
        onMouseDown={(event) => event.preventDefault()}
        sx={{ m: 0, mt: 1.5, p: 0, maxHeight: "min(50vh, 22rem)", overflowY: "auto", listStyle: "none" }}
      >
        {found.map((company, index) => (
          <Box
            component="li"
            key={company.id}
            id={`${id}-${company.id}`}
            role="option"
            aria-selected={company.id === current.id}
            onClick={() => choose(company)}
            sx={index === at ? { ...option, ...active } : option}
          >
            <Box sx={{ flex: "0 0 24px", lineHeight: 0 }}>
              {company.id === current.id ? <Icon of={Check} size="small" /> : null}
            </Box>
            {company.name}
          </Box>
        ))}
      </Box>
      {found.length === 0 ? <p style={{ margin: "8px 0 0" }}>{words.found(0)}</p> : null}
    </>
  );
}

const option = {
  display: "flex",
  alignItems: "center",
  boxSizing: "border-box",
  minHeight: 44,
  px: 1,
  py: 0.5,
  borderRadius: 1,
  cursor: "pointer",
  "&:hover": { backgroundColor: "action.hover" },
  '&[aria-selected="true"]': { fontWeight: 700 },
} as const;

/** The option that Enter chooses; also outlined, because forced colors remove the fill. */
const active = {
  backgroundColor: "action.selected",
  outline: "2px solid",
  outlineColor: "primary.ink",
  outlineOffset: -2,
} as const;
