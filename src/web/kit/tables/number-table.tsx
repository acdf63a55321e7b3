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

type Props = { label: string; heads: readonly string[]; rows: readonly (readonly string[])[] };

/** A small table of figures, in a region that scrolls by itself where the screen is narrow; the first column names the row. */
export function NumberTable({ label, heads, rows }: Props) {
  return (
    <Scroll role="region" aria-label={label} tabIndex={0}>
      <Table aria-label={label}>
        <TableHeads heads={heads} />
        <tbody>
          {rows.map(([name, ...figures]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {figures.map((figure, index) => (
                <td key={heads[index + 1]}>{figure}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}
