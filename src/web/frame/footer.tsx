import { inset } from "#web/frame/inset.ts";
import { frameWords } from "#web/frame/words.ts";
import { boot } from "#web/kit/boot.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import { SelectField } from "#web/kit/select-field.tsx";
import Box from "@mui/material/Box";
import { styled, useColorScheme } from "@mui/material/styles";

const links = [
  { label: frameWords.license, href: "/end-user-license-agreement/" },
  { label: frameWords.privacy, href: "/privacy-policy/" },
  { label: frameWords.contact, href: "/contact/" },
];

const FooterLink = styled(PlainLink)({ color: "var(--mui-palette-text-secondary)" });

/** Legal links, trademark notices, copyright and the choice of theme. */
export function Footer() {
  return (
    <Box
      component="footer"
      sx={{
        ...inset,
        py: 3,
        display: "grid",
        gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "auto minmax(0, 1fr) auto" },
        gap: "8px 32px",
        alignItems: "baseline",
        borderTop: 1,
        borderColor: "divider",
        typography: "caption",
        color: "text.caption",
      }}
    >
      <nav aria-label={frameWords.footer} style={{ display: "flex", flexWrap: "wrap", columnGap: 20 }}>
        {links.map(({ label, href }) => (
          <FooterLink key={href} href={href}>
            {label}
          </FooterLink>
        ))}
      </nav>
      <p style={{ margin: 0, maxWidth: "76ch", textWrap: "pretty" }}>{frameWords.trademarks(boot.product)}</p>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5 }}>
        <ThemeChoice />
        <span>{frameWords.copyright(new Date().getFullYear(), boot.product)}</span>
      </Box>
    </Box>
  );
}

const MODES = ["system", "light", "dark"] as const;

/** Light, dark, or as the system is set. */
function ThemeChoice() {
  const { mode, setMode } = useColorScheme();
  return (
    <SelectField
      label={frameWords.theme}
      labelAt="beside"
      look="dense"
      value={mode ?? "system"}
      options={MODES.map((value) => ({ value, label: frameWords.themes[value] }))}
      onChange={(value) => setMode(MODES.find((known) => known === value) ?? "system")}
    />
  );
}
