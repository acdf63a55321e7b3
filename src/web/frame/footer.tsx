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

const FooterLink = styled(PlainLink)({
  display: "inline-flex",
  alignItems: "center",
  minHeight: 44,
  color: "inherit",
});

/** Legal links, trademark notices, copyright and the choice of theme. */
export function Footer() {
  return (
    <Box
      component="footer"
      sx={{
        ...inset,
        py: 2,
        borderTop: 1,
        borderColor: "divider",
        backgroundColor: "background.paper",
        color: "text.secondary",
        fontSize: "0.875rem",
      }}
    >
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 3 }}>
        <nav aria-label={frameWords.footer} style={{ display: "flex", flexWrap: "wrap", columnGap: 24 }}>
          {links.map(({ label, href }) => (
            <FooterLink key={href} href={href}>
              {label}
            </FooterLink>
          ))}
        </nav>
        <Box sx={{ ml: { sm: "auto" } }}>
          <ThemeChoice />
        </Box>
      </Box>
      <p style={{ margin: "8px 0", textWrap: "pretty" }}>{frameWords.trademarks(boot.product)}</p>
      <p style={{ margin: 0 }}>{frameWords.copyright(new Date().getFullYear(), boot.product)}</p>
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
      value={mode ?? "system"}
      options={MODES.map((value) => ({ value, label: frameWords.themes[value] }))}
      onChange={(value) => setMode(MODES.find((known) => known === value) ?? "system")}
    />
  );
}
