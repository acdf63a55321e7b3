import type { NavEntry } from "#web/frame/nav-entries.ts";
import { NavLinks } from "#web/frame/nav-links.tsx";
import { Popover } from "#web/frame/popover.tsx";
import { NameAndEmail } from "#web/frame/user-menu.tsx";
import { frameWords } from "#web/frame/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Menu, X } from "lucide-react";

/** The same navigation for narrow screens: a button that opens the list below the bar, with who is signed in. */
export function NavMenu({ entries }: { entries: readonly NavEntry[] }) {
  return (
    <Popover
      opener={(button, isOpen) => (
        <Button {...button} color="inherit" aria-label={frameWords.menu} sx={{ minWidth: 44, px: 1 }}>
          <Icon of={isOpen ? X : Menu} size="medium" />
        </Button>
      )}
      panel={(close) => (
        <>
          <NavLinks entries={entries} vertical onFollow={close} />
          <Box sx={{ mt: 1, pt: 1.5, borderTop: 1, borderColor: "divider" }}>
            <NameAndEmail />
          </Box>
        </>
      )}
      sx={{ right: 0, left: 0, px: { xs: 2, sm: 3 }, py: 1.5, borderTop: 1, borderColor: "divider" }}
    />
  );
}
