import type { SessionCompany } from "#features/identity/contract.ts";
import { companiesNamed } from "#web/kit/find-company.ts";
import { takeFocus } from "#web/kit/focus.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { TextInput } from "#web/kit/text-input.tsx";
import { kitWords } from "#web/kit/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import { Check } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";

const words = kitWords.companies;

type Props = { current: SessionCompany; onDone: () => void };

/**
 * A field that finds companies by name, and the list of those found. The keyboard stays in the field: arrows walk the
 * list, Enter chooses.
 */
export function CompanyOptions({ current, onDone }: Props) {
  const { companies, switchCompany } = useSession();
  const announce = useAnnounce();
  const [text, setText] = useState("");
  const [at, setAt] = useState(() => Math.max(0, companies.indexOf(current)));
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const found = companiesNamed(companies, text);
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const find = (wanted: string) => {
    setText(wanted);
    setAt(0);
    announce(words.found(companiesNamed(companies, wanted).length), "passing");
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
        // The keyboard stays in the field, whatever is pressed here.
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

/** Where Enter would choose; an outline too, since forced colors take the fill away. */
const active = {
  backgroundColor: "action.selected",
  outline: "2px solid",
  outlineColor: "primary.ink",
  outlineOffset: -2,
} as const;
