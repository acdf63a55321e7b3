import Box from "@mui/material/Box";

type Props = {
  facts: readonly (readonly [name: string, value: string])[];
  /** In place of an empty value. */
  blank: string;
};

/** Settings for members who can't change them: each name above its value. */
export function FactsList({ facts, blank }: Props) {
  return (
    <Box
      component="dl"
      sx={{ m: 0, mt: 1, maxWidth: "48rem", "& dt": { fontWeight: 700, mt: 1 }, "& dd": { m: 0 } }}
    >
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || blank}</dd>
        </div>
      ))}
    </Box>
  );
}
