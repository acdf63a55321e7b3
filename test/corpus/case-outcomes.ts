/**
 * Outcomes of the files of `cases/`, made after reports of people who do this job: `file | outcome; outcome`. An invoice
 * has its number and its money, or the field and the code that hold it back; a refused file has the column it is about.
 * For labels, the good rows are counted, and each problem has its row.
 */
const OUTCOMES = String.raw`
ambiguous.xlsx | D-1 held invoiceDate date_ambiguous; D-2 held invoiceDate date_ambiguous
discount-shipping-total.csv | refused undecided_columns Discount
f01-discount-columns-without-line-total.xlsx | refused undecided_columns Discount Amount
f01-discount-columns.xlsx | refused undecided_columns Discount %
f02-items-numbered-from-1.xlsx | FW-3 83.40; note further_lines
f02-items-side-by-side.xlsx | FW-1 92.15; FW-2 62.00; note further_lines
f04-exported-by-script.csv | 50011 39.90; 50012 12.40; note placeholders_blank; note codes_without_zero 50011.0; note po_not_sent; note codes_without_zero 7781.0
f04-exported-from-database.csv | 50021 39.90; 50022 12.40; note placeholders_blank; note po_not_sent
f04b-floats-and-nan-in-texts.csv | 50011 39.90; 50012 12.40; note placeholders_blank; note codes_without_zero 50011.0
f05-dates-as-eight-digits.xlsx | FY-1 10.00; FY-2 10.00
f05-dates-of-many-kinds.xlsx | FY-3 10.00; FY-4 10.00; FY-5 10.00; FY-6 10.00; FY-7 10.00; FY-8 10.00; FY-9 10.00; FY-10 10.00
f07-zeros-by-format.xlsx | 001234 19.95; INV-01235 19.95; 0012-36 19.95; note po_not_sent
f08-email-lists.xlsx | FE-1 10.00; FE-2 10.00; FE-3 10.00; FE-4 10.00; FE-5 10.00; FE-6 10.00; FE-7 10.00
f10-canada-without-tax-code.xlsx | FC-1 40.00
f11-canada-tax-rate-column.xlsx | FC-5 40.00; note column_ignored Tax Rate
f11-canada-with-tax-code.xlsx | FC-2 held taxable not_yes_or_no; FC-3 held taxable not_yes_or_no; FC-4 40.00
f13-sub-customers-written-in-many-ways.xlsx | FP-1 10.00; FP-2 10.00; FP-3 10.00; FP-4 10.00; FP-5 10.00; FP-6 10.00; FP-7 10.00
f14-names-as-exported.xlsx | FN-1 10.00; FN-2 10.00; FN-3 10.00; FN-4 10.00; FN-5 10.00; FN-6 10.00; FN-7 10.00
f16-long-numbers.xlsx | null held invoiceNo too_long; #1001 10.00; INV 2026/0012 10.00; Nº 77 10.00; null held invoiceNo character_not_taken
f17-emoji-and-scripts.xlsx | FJ-1 held description character_not_taken; FJ-2 held description character_not_taken; note characters_made_plain
f19-dates-seconds-before-midnight.xlsx | FK-1 10.00; FK-2 10.00
f20-terms-in-due-date.xlsx | FU-1 held dueDate terms_in_date; FU-2 held dueDate terms_in_date; FU-3 held dueDate terms_in_date; FU-4 held dueDate terms_in_date
f22-quantities-formatted-with-units.xlsx | FQ-7 180.00; FQ-8 20.00; FQ-9 15.00
f22-quantities-with-units.xlsx | FQ-1 held qty not_a_number; FQ-2 held qty not_a_number; FQ-3 held qty not_a_number; FQ-4 held qty not_a_number; FQ-5 held qty not_a_number; FQ-6 held qty not_a_number
f23-rates-with-units.xlsx | FR-1 held rate not_a_number; FR-2 held rate not_a_number; FR-3 120.00; FR-4 held rate not_a_number; FR-5 120.00; FR-6 held rate not_a_number; FR-7 held rate not_a_number; FR-8 held rate not_a_number; FR-9 held amount total_below_zero; FR-10 held rate not_a_number; FR-11 held rate not_a_number
f25-headers-in-row-fourteen.xlsx | FL-1 10.00; note rows_above_headers
f26-a-sheet-each-month.xlsx | FO-1 10.00; FO-2 20.00; FO-3 30.00; note sheets_read
f28-numbers.xlsx | refused numbers_document
f28-picture.pdf.xlsx | refused not_xlsx a PDF document
f28-shortcut.csv | refused google_shortcut
f28-shortcut.gsheet.xlsx | refused google_shortcut
f28-spreadsheet-2003.xlsx | refused not_xlsx an Excel 2003 XML file
f28-web-table.csv | refused web_page
f28-web-table.xls.xlsx | refused not_xlsx a web page (HTML)
f29-strict.xlsx | FI-1 10.00
f31-exchange-rate-column.xlsx | FG-1 held currency currency_differs; FG-2 held currency currency_differs; FG-3 100.00; FG-4 held rate currency_sign_differs
f32-invoices-with-shipping-and-total.xlsx | FO-78 47.40
f32-orders-with-shipping-and-total.xlsx | refused ambiguous_column Order Number
f32-shop-orders.csv | refused ambiguous_column Name
f34-zero-amounts.xlsx | FF-1 0.00; FF-2 10.00; FF-3 0.00; FF-4 held rate not_a_number; FF-5 0.00
f35-credits-among-invoices.xlsx | FD-31 30.00; FD-32 held amount total_below_zero; FD-33 held amount total_below_zero; CM-34 held amount total_below_zero
f37-refused-for-tax.xlsx | FB-11 10.00
f38-refused-period-closed.xlsx | FB-12 10.00
f40-refused-6210.xlsx | FB-14 10.00
f41-dates-of-other-tools.xlsx | FX4-1 10.00; FX4-2 10.00; FX4-3 10.00; FX4-4 10.00; FX4-5 10.00; FX4-6 10.00; FX4-7 10.00; FX4-8 10.00; FX4-9 10.00; FX4-10 10.00; FX4-11 held invoiceDate not_a_date; FX4-12 held invoiceDate not_a_date; FX4-13 10.00; FX4-14 10.00; FX4-15 10.00; FX4-16 10.00; FX4-17 10.00
f44-sales-by-customer-detail.xlsx | FSR-1 39.90; FSR-2 12.40; FSR-3 12.40; note rows_above_headers; note column_ignored Balance; note total_rows; note file_totals; note footer_rows
f46-typographic-descriptions.xlsx | FTY-1 10.00; FTY-2 10.00; FTY-3 10.00; FTY-4 10.00; FTY-5 held description character_not_taken; FTY-6 10.00; note characters_made_plain
f47-customers-by-email-only.xlsx | FID-2 10.00
f47-customers-by-number.xlsx | FID-1 10.00; note column_ignored Customer ID
f49-price-per-hundred.xlsx | refused undecided_columns Price Per
fields-peers-take.csv | C-1 held taxable not_yes_or_no; note column_ignored Sales Rep; note column_ignored Job Site; note column_ignored Send Later; note column_ignored Attachment
g01-upc-lost-zero.xlsx | good 3,4,5; 2 gtin gtin_lost_zero
g03-gtin-shortened.csv | good ; 2 gtin digits_lost; 3 gtin digits_lost
g03-gtin-shown-shortened.xlsx | good 2,3
g04-sscc-as-number.xlsx | good ; 2 sscc digits_lost; 3 sscc digits_lost
g06-carton-one-of-three.xlsx | good ; 2 carton not_a_number; 3 carton not_a_number; 4 carton not_a_number; 5 carton not_a_number; 6 carton not_a_number
g07-zip-without-zero.xlsx | good 2,4,8; 2 postalCode zip_padded; 3 postalCode zip_not_valid; 4 postalCode zip_padded; 5 postalCode zip_ambiguous; 6 postalCode zip_not_valid; 7 postalCode zip_not_valid
g09-zeros-by-format-on-labels.xlsx | good 2; 3 markFor bar_code_character
g10-names-on-labels.xlsx | good 2,5,6; 2 shipToName rare_letters; 3 shipToName not_printable; 4 shipToName too_long; 6 shipToName rare_letters
g12-po-with-words.xlsx | good 2,3,4,5,6,7
g14.xlsx | good 2,3; 2 carton cartons_missing
g16.xlsx | good 2
h01-shop-orders-whole-layout.csv | refused layout_unconfirmed
h02-zoho-invoices.csv | refused layout_unconfirmed
h04-durations.csv | refused columns_missing qty amount
h04-qty-as-text.csv | TG-2 held qty not_a_number
h04-qty-as-time-cell.xlsx | TG-3 held qty not_a_number; TG-4 held qty not_a_number
h05-harvest-detailed.csv | refused layout_unconfirmed
h05-hours-not-billable.csv | refused columns_missing item
h07-square-items.csv | refused layout_unconfirmed
h08-amazon-orders.txt | refused layout_unconfirmed
h08-order-id-two-orders.csv | refused ambiguous_column Order ID
h08-two-orders-of-one-buyer.txt | refused layout_unconfirmed
h10-percent-cells.xlsx | refused undecided_columns Discount
h11-semicolons-decimal-commas.csv | EU-1 3049.88; EU-2 39.90
h11-unicode-text.txt | EU-3 39.90
h13-date-1904.xlsx | MC-1 10.00
h14-formulas-without-results.xlsx | FO-1 held amount formula_without_value; FO-2 held qty formula_without_value
h16-rows-contradict.xlsx | GC-1 held dueDate values_differ; GC-2 held customer values_differ; GC-3 20.00; note po_not_sent
h17-class-location-custom.xlsx | CU-1 held className class_unknown; note column_ignored Sales Rep; note column_ignored Job #; note column_ignored Attachment; note column_ignored Print Later
h19-fractions-of-a-cent.xlsx | RC-1 100.00; RC-2 7.35; RC-3 2.68; RC-4 0.30; RC-5 10.00
k01-states-of-programs.csv | refused rows_undecided Order State
k02-a-state-nobody-knows.csv | refused rows_undecided Lifecycle
k03-reason-of-cancellation.csv | refused rows_undecided Cancellation Reason
k04-billable-hours-beside-hours.csv | refused columns_missing item
k05-warranty.csv | refused rows_undecided Warranty
k06-invoiced-before.csv | refused columns_missing item
k07-confirmation-numbers.csv | refused ambiguous_column Confirmation
k08-price-with-tax.csv | refused columns_missing rate amount
k09-total-as-an-item.csv | K-1 30.00; note total_rows; note file_totals
k10-customers-called-total.csv | K-1 10.00; K-2 20.00
k11-minutes.csv | refused columns_missing item qty amount
k12-ordered-and-shipped.csv | refused undecided_columns Qty Shipped Qty Backordered
k13-price-per-thousand.csv | refused undecided_columns UOM
k14-retainage.csv | refused undecided_columns Retainage Net Due
k15-two-currencies.csv | refused undecided_columns Curr.
k16-estimates-among-invoices.csv | refused ambiguous_column No.
k17-void-in-a-description.csv | refused rows_undecided Description
k18-void-among-notes.csv | refused rows_undecided Office
k19-ticked-to-invoice.csv | refused rows_undecided Invoice This Month
k20-debits-and-credits.csv | refused rows_undecided DR/CR
k21-bill-later.csv | refused rows_undecided Remarks
k22-flag-of-one-letter.csv | refused rows_undecided Del
k23-billed-to-another.csv | refused rows_undecided Bill To Insurance
k24-samples-and-transfers.csv | refused rows_undecided Movement
labels-bad.xlsx | good 4; 2 postalCode zip_ambiguous; 3 poNumber required; 3 qty not_a_number
labels-foreign.xlsx | refused columns_missing qty
messy.xlsx | refused columns_missing invoiceDate
split.xlsx | S-1 1.00; S-2 2.00; S-3 held qty not_a_number; S-4 4.00; S-5 5.00; S-6 held qty not_a_number; S-7 7.00; S-8 8.00
`;

/** The same for a user who continues on the page of questions without changing an answer, less the columns not used. */
const ACCEPTED = String.raw`
discount-shipping-total.csv | D-1 87.50
f01-discount-columns-without-line-total.xlsx | FD-2 180.00
f01-discount-columns.xlsx | FD-1 held amount amount_differs
f32-orders-with-shipping-and-total.xlsx | FO-77 47.40
f32-shop-orders.csv | #3001 held invoiceTotal total_differs
f49-price-per-hundred.xlsx | FPU-1 held amount amount_differs; note money_ignored Price Per
h01-shop-orders-whole-layout.csv | #2101 89.85; #2102 12.40; note rows_not_billed voided; note rows_not_billed filled
h02-zoho-invoices.csv | INV-3001 221.00
h05-harvest-detailed.csv | null 150.00; note rows_not_billed No
h05-hours-not-billable.csv | HV-1 150.00; note rows_not_billed No
h07-square-items.csv | sq7xA1 54.85; note rows_not_billed Refund
h08-amazon-orders.txt | 111-2223334-5556667 60.85
h08-order-id-two-orders.csv | SO-1 10.00; SO-2 5.00
h08-two-orders-of-one-buyer.txt | 111-2223334-5556671 25.95; 111-2223334-5556672 25.95
h10-percent-cells.xlsx | PC-1 180.00; PC-2 20.00; note placeholders_blank
k01-states-of-programs.csv | K-1 10.00; note rows_not_billed CANCELED_BY_CUSTOMER; note rows_not_billed PAYMENT_FAILED
k02-a-state-nobody-knows.csv | refused rows_undecided Lifecycle
k03-reason-of-cancellation.csv | K-1 10.00; note rows_not_billed filled
k04-billable-hours-beside-hours.csv | null 300.00; null 0.00; note money_ignored Hours
k05-warranty.csv | K-1 100.00; note rows_not_billed Y
k06-invoiced-before.csv | null 200.00; note rows_not_billed filled
k07-confirmation-numbers.csv | 884213 20.00; 884214 30.00
k09-total-as-an-item.csv | K-1 30.00; note total_rows; note file_totals
k10-customers-called-total.csv | K-1 10.00; K-2 20.00
k14-retainage.csv | K-1 1000.00; note money_ignored Retainage; note money_ignored Net Due
k15-two-currencies.csv | K-1 10.00; K-2 held currency currency_differs
k16-estimates-among-invoices.csv | K-1 10.00; K-2 held documentType not_an_invoice; K-3 held documentType not_an_invoice
k17-void-in-a-description.csv | K-1 10.00; note rows_not_billed VOID - entered twice
k18-void-among-notes.csv | K-1 50.00; K-3 50.00; K-4 50.00; note rows_not_billed void
k19-ticked-to-invoice.csv | refused rows_undecided Invoice This Month
k20-debits-and-credits.csv | K-1 10.00; note rows_not_billed CR
k21-bill-later.csv | K-1 10.00; K-3 30.00; note rows_not_billed bill next month
k22-flag-of-one-letter.csv | K-1 10.00; K-3 30.00; note rows_not_billed D
k23-billed-to-another.csv | refused rows_undecided Bill To Insurance
k24-samples-and-transfers.csv | K-1 10.00; note rows_not_billed Transfer; note rows_not_billed Sample
messy.xlsx | M-1 199.00; M-2 72.50; M-3 held qty not_a_number; 1001 32.50; M-4 held amount amount_differs; M-5 held invoiceDate not_a_date; M-6 held customer required; M-7 held item item_missing; M-8 held customer values_differ; M-9 held rate not_a_number; M-11 45.00; M-12 18.00; note rows_above_headers; note rows_not_billed return; note total_rows; note file_totals; note total_row_differs
`;

type CaseOutcome = readonly [file: string, outcome: string];

const readOutcomes = (text: string): CaseOutcome[] =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [file = "", outcome = ""] = line.split(" | ");
      return [file, outcome] as const;
    });

export const CASE_OUTCOMES: readonly CaseOutcome[] = readOutcomes(OUTCOMES);
export const ACCEPTED_OUTCOMES: readonly CaseOutcome[] = readOutcomes(ACCEPTED);
