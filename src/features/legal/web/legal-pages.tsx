import { type LegalSection, legalWords } from "#features/legal/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { PageTitle } from "#web/kit/page-head.tsx";
import { Sheet } from "#web/kit/card.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";

/** The license agreement. */
export const LicensePage = () => <LegalText text={legalWords.license} />;

/** The privacy policy. Pages without script, which are not recorded, have it without the last section. */
export const PrivacyPage = () => (
  <LegalText
    text={legalWords.privacy}
    more={boot.logRocket === null ? [] : [legalWords.privacy.atLogRocket]}
  />
);

type Props = {
  text: typeof legalWords.license | typeof legalWords.privacy;
  /** Sections that this server needs besides. */
  more?: readonly LegalSection[];
};

/** Legal text: version, table of contents, sections. `#web/prerender.ts` writes the same for readers without script. */
function LegalText({ text, more = [] }: Props) {
  const sections = [...text.sections(boot.product), ...more];
  return (
    <>
      <PageTitle>{text.title}</PageTitle>
      <Sheet>
        <p>{legalWords.version}</p>
        <nav aria-label={legalWords.contents}>
          <ol style={{ paddingLeft: "1.5rem" }}>
            {sections.map((section) => (
              <li key={section.id} style={{ padding: "4px 0" }}>
                <PlainLink href={`#${section.id}`}>{section.title}</PlainLink>
              </li>
            ))}
          </ol>
        </nav>
        {sections.map((section) => (
          <section key={section.id} aria-labelledby={section.id}>
            <h2 id={section.id} style={{ margin: "32px 0 8px" }}>
              {section.title}
            </h2>
            {section.text.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
      </Sheet>
    </>
  );
}
