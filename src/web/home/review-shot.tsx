import { homeWords } from "#web/home/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import { Check, TriangleAlert } from "lucide-react";

const words = homeWords.shot;

/** A picture of a review, made of the same table, chip and double rule as the real one. */
export function ReviewShot() {
  return (
    <div className="shot" role="img" aria-label={words.label}>
      <div className="cap">{words.file}</div>
      <div className="shot-head">
        <span>
          <b>{words.ready}</b> <span className="sum">{words.total}</span>
        </span>
        <span className="chip">
          <Icon of={TriangleAlert} size={13} />
          <span>{words.question}</span>
        </span>
      </div>
      <table>
        <thead>
          <tr>
            {words.heads.map((head, index) => (
              <th key={head} className={index === 2 ? "amount" : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {words.invoices.map(({ number, customer, amount, open }) => (
            <tr key={number} className={open ? "open" : undefined}>
              <td className="number">{number}</td>
              <td>{customer}</td>
              <td className="amount">{amount}</td>
              <td>
                <span className={open ? "chip" : "ready"}>
                  <Icon of={open ? TriangleAlert : Check} size={open ? 13 : "small"} />
                  <span>{open ? words.isOpen : words.isReady}</span>
                </span>
              </td>
            </tr>
          ))}
          <tr className="total">
            <td colSpan={2}>{words.sum}</td>
            <td className="amount">
              <span className="double">{words.total}</span>
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
