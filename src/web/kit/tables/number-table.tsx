import { TableHeads } from "#web/kit/tables/table-heads.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";

const Scroll = styled("div")({ overflowX: "auto", margin: "16px 0" });

const Table = styled("table")(({ theme }) => ({
  borderCollapse: "collapse",
  "& th, & td": {
    padding: "10px 12px",
    ...typeScale.table,
    textAlign: "right",
    borderBottom: "1px solid",
    borderBottomColor: (theme.vars ?? theme).palette.divider,
  },
  "& thead th": {
    ...typeScale.caption,
    fontWeight: 700,
    color: (theme.vars ?? theme).palette.text.caption,
    borderBottomColor: (theme.vars ?? theme).palette.line.strong,
  },
  "& tbody th": { fontWeight: 400 },
  "& th:first-of-type": { textAlign: "left", paddingLeft: 0 },
  [theme.breakpoints.down("sm")]: { width: "100%", "& th, & td": { padding: "8px 4px" } },
}));

/** The bookkeeper's mark below figures that close a proof. */
const Closed = styled("span")({
  display: "inline-block",
  padding: "1px 0",
  borderTop: "1px solid",
  borderBottom: "3px double",
  fontWeight: 700,
});

type Props = {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  /** Names of rows that belong to the one above them. */
  indented?: ReadonlySet<string>;
  /** The last row closes a proof: its figures get a double rule. */
  isProof?: boolean;
};

/** A small table of figures, in a region that scrolls by itself where the screen is narrow; the first column names the row. */
export function NumberTable({ label, heads, rows, indented, isProof = false }: Props) {
  return (
    <Scroll role="region" aria-label={label} tabIndex={0}>
      <Table aria-label={label} style={isProof ? { width: "100%" } : undefined}>
        <TableHeads heads={heads} />
        <tbody>
          {rows.map(([name = "", ...figures], place) => (
            <tr key={name}>
              <th scope="row" style={indented?.has(name) ? { paddingLeft: 20 } : undefined}>
                {isProof && place === rows.length - 1 ? <strong>{name}</strong> : name}
              </th>
              {figures.map((figure, index) => (
                <td key={heads[index + 1]}>
                  {isProof && place === rows.length - 1 ? <Closed>{figure}</Closed> : figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}
