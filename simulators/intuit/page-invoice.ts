import { html, type Html } from "../kit/html.ts";
import type { Entity } from "./books.ts";
import { shownDay, shownMoney } from "./page-words.ts";
import { readList, readText, type Fields } from "./write-context.ts";

/** One invoice of the list: its head line, expandable to lines, memo, tracking and two actions. */
export function invoiceItem(realmId: string, invoice: Entity): Html {
  const open = Number(invoice["Balance"]) > 0;
  return html`<details id="invoice-${invoice.Id}">
    <summary>
      <span class="invoice">
        <strong>${invoice["DocNumber"] ?? "no number"}</strong>
        <span class="customer">${readName(invoice, "CustomerRef")}</span>
        <time datetime="${invoice["TxnDate"]}">${shownDay(invoice["TxnDate"])}</time>
        <span class="num">${money(invoice, "TotalAmt")}</span>
        <span class="tag ${open ? "open" : ""}">${describeStatus(invoice)}</span>
      </span>
    </summary>
    ${linesTable(invoice)}
    <dl>
      ${facts(invoice).map(
        ([term, value]) =>
          html`<div>
            <dt>${term}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <div class="inline">
      ${
        open &&
        html`<form method="post" action="/qbo/${realmId}/invoices/${invoice.Id}/pay">
          <button type="submit">Receive payment</button>
        </form>`
      }
      <form method="post" action="/qbo/${realmId}/invoices/${invoice.Id}/memo" class="inline grow">
        <label
          >Memo<input
            type="text"
            name="memo"
            maxlength="4000"
            value="${readText(invoice, "PrivateNote") ?? ""}"
        /></label>
        <button type="submit">Save memo</button>
      </form>
    </div>
  </details>`;
}

function describeStatus(invoice: Entity): string {
  if (invoice["PrivateNote"] === "Voided" && invoice["TotalAmt"] === 0) return "Voided";
  if (Number(invoice["Balance"]) <= 0) return "Paid";
  return invoice["Balance"] === invoice["TotalAmt"] ? "Open" : `${money(invoice, "Balance")} open`;
}

function linesTable(invoice: Entity): Html {
  return html`<div class="scroll" role="region" aria-label="Lines" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" class="num">Quantity</th>
          <th scope="col" class="num">Rate</th>
          <th scope="col" class="num">Amount</th>
        </tr>
      </thead>
      <tbody>
        ${readList(invoice, "Line").filter(isShown).map(lineRow)}
      </tbody>
    </table>
  </div>`;
}

function isShown(line: Fields): boolean {
  return line["DetailType"] !== "SubTotalLineDetail";
}

function lineRow(line: Fields): Html {
  const detail = (line["SalesItemLineDetail"] ?? {}) as Fields;
  const item = line["DetailType"] === "DiscountLineDetail" ? "Discount" : readName(detail, "ItemRef");
  return html`<tr>
    <td>
      ${item}${readText(line, "Description") !== undefined && html`<br /><small>${line["Description"]}</small>`}
    </td>
    <td class="num">${detail["Qty"]}</td>
    <td class="num">${detail["UnitPrice"]}</td>
    <td class="num">${line["Amount"] === undefined ? "" : Number(line["Amount"]).toFixed(2)}</td>
  </tr>`;
}

function facts(invoice: Entity): [string, string][] {
  const memo = (invoice["CustomerMemo"] ?? {}) as Fields;
  const rows: [string, string | undefined][] = [
    ["Due", shownDay(invoice["DueDate"])],
    ["Terms", readName(invoice, "SalesTermRef")],
    ["Message", readText(memo, "value")],
    ["Shipped", shownDay(invoice["ShipDate"])],
    ["Carrier", readName(invoice, "ShipMethodRef")],
    ["Tracking number", readText(invoice, "TrackingNum")],
    ["Id", `${invoice.Id}, SyncToken ${invoice.SyncToken}`],
  ];
  return rows.flatMap(([term, value]) => (value ? [[term, value]] : []));
}

function readName(fields: Fields, name: string): string {
  const ref = fields[name] as { name?: string; value?: string } | undefined;
  return ref?.name ?? ref?.value ?? "";
}

function money(invoice: Entity, name: string): string {
  return shownMoney(invoice[name], (invoice["CurrencyRef"] as { value?: string } | undefined)?.value);
}
