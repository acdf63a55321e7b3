/** A table with rows of companies, by its column realm_id. */
export type CompanyTable = {
  /** Columns whose values never leave, with the SQL of what an export has instead. */
  withheld?: Readonly<Record<string, string>>;
  /** Columns of bytes, each a file of the export, with the SQL of its path; the table itself has the path. */
  files?: Readonly<Record<string, string>>;
};

/** SQL of a text as a part of a path: at most so many plain characters, the last ones because an ending says most. */
const plain = (text: string, most = 48) =>
  `right(regexp_replace(${text}, '[^A-Za-z0-9.-]+', '_', 'g'), ${most})`;
const day = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD')`;
const path = (folder: string, ...parts: string[]) => `'files/${folder}/' || ${parts.join(" || '-' || ")}`;

/** Every table with rows of companies that an export has. A test fails if a table is neither here nor below. */
export const COMPANY_TABLES: Readonly<Record<string, CompanyTable>> = {
  company: {},
  intuit_connection: { withheld: { access_token_sealed: "''", refresh_token_sealed: "''" } },
  company_member: { withheld: { invitation_id: "null" } },
  company_service: {},
  company_key: { withheld: { secret_hash: "null" } },
  webhook_endpoint: { withheld: { secret_sealed: "null", old_secret_sealed: "null" } },
  webhook_message: {},
  carrier_link: { withheld: { access_token_sealed: "null", refresh_token_sealed: "null" } },
  order_folder: { withheld: { secret_sealed: "null" } },
  support_grant: {},
  difference: {},
  billing_account: {},
  subscription_attempt: {},
  subscription: {},
  service_trial: {},
  notice_mail: {},
  audit_entry: {},
  run: {},
  write: {},
  column_choice: {},
  date_order_choice: {},
  name_choice: {},
  upload: {},
  upload_check: {},
  upload_invoice: {},
  upload_list: {},
  label_settings: {},
  label_serial: {},
  label_upload: {},
  label: {},
  label_print: {},
  order_document: {
    files: {
      content: path("orders", day("received_at"), "id", plain("file_name")),
      reply: path("orders", day("received_at"), "id", "'997.edi'"),
    },
  },
  retail_order: {},
  order_shipment: {},
  order_notice_settings: {},
  order_notice_counter: {},
  order_notice: {
    files: {
      content: path(
        "notices",
        plain("po_number", 40),
        "id || case when document in ('v_cancel', 'v_invoice', 'v_ship') then '.xml' else '.edi' end",
      ),
    },
  },
  order_message: {},
  order_match: {},
  order_invoice_settings: {},
  order_invoice: {},
  shipment_settings: {},
  shipment: {},
  shipment_label: {
    files: {
      bytes: path("ups-labels", plain("tracking_number", 40), "shipment_id", "seq || '.' || lower(format)"),
    },
  },
  package: {},
  tracking_company: {},
  tracked_invoice: {},
  tracked_invoice_package: {},
  tracked_proof: {
    files: {
      pdf: path("proofs", `${plain("number", 40)} || '.pdf'`),
      page: path("proofs", plain("number", 40), "'ups-page'"),
      signature: path("proofs", plain("number", 40), "'ups-signature'"),
    },
  },
  tracking_write: { files: { file: path("attachments", "id || '.pdf'") } },
};

const NO_COMPANY_ROWS = "it has no rows of companies";
const BRIEF = "it serves work of minutes and is removed by itself";

/** Tables that an export leaves out, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  app_user: "users belong to the installation: an export has those that its rows name, without their sign-in",
  session: "sessions are secrets of users",
  company_export: "an export isn't part of itself",
  kept_answer: `${BRIEF}; its answers are sealed`,
  carrier_app_fault: "the operator's own app at UPS",
  carrier_request: `${BRIEF}; it holds hashes of secrets`,
  authorization_request: `${BRIEF}; it holds hashes of secrets`,
  run_failure: "it is about the program, for its operators",
  outbound_budget: BRIEF,
  outbound_lease: BRIEF,
  run_holder: NO_COMPANY_ROWS,
  installation: NO_COMPANY_ROWS,
  sealing_key: NO_COMPANY_ROWS,
  metered_calls: NO_COMPANY_ROWS,
  contact_message: NO_COMPANY_ROWS,
  service_price: NO_COMPANY_ROWS,
  stripe_event: NO_COMPANY_ROWS,
  vendor_message: NO_COMPANY_ROWS,
  stripe_cursor: NO_COMPANY_ROWS,
  error_cause: NO_COMPANY_ROWS,
  error_report: NO_COMPANY_ROWS,
  recording: NO_COMPANY_ROWS,
};

/** Tables whose rows stay when a company is deleted, with the reason. */
export const KEPT_AFTER_DELETION: Readonly<Record<string, string>> = {
  app_user: "a user may have other companies; which one they used last is forgotten",
  session: "a user stays signed in; the company of the session is forgotten",
  service_trial: "a company has one trial of each service, forever",
};

/** Stored files of a company: SQL of their keys and of their paths in an export. Its one parameter is the company. */
export const COMPANY_FILES = `
  select object_key as key, ${path("workbooks", day("uploaded_at"), "id", plain("file_name"))} as path
    from upload where realm_id = $1 and file_removed_at is null
  union all
  select 'labels/' || realm_id || '-' || attempt, ${path("label-sheets", day("uploaded_at"), "id", plain("file_name"))}
    from label_upload where realm_id = $1 and state = 'queued'
  order by path`;
