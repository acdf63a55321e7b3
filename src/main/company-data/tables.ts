/** A table with rows of companies, by its column realm_id. */
export type CompanyTable = {
  /**
   * `moves`: another installation takes its rows over. `tells`: an export has them for its readers, and an import ignores
   * them, for the reason given.
   */
  use: "moves" | { tells: string };
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

const ACCESS = "access is given there: the user who connects the company becomes its admin";
const PAYMENTS = "payments are made to the operator of one installation";
const SECRET = "it needs a secret that doesn't leave: enter it there again";

/** Every table with rows of companies that an export has. A test fails if a table is neither here nor below. */
export const COMPANY_TABLES: Readonly<Record<string, CompanyTable>> = {
  // An import has no authorization at UPS.
  company: { use: "moves", withheld: { ups_state: "'none'" } },
  intuit_connection: {
    use: "moves",
    withheld: {
      state: "'disconnected'",
      access_token_sealed: "''",
      refresh_token_sealed: "''",
    },
  },
  company_member: { use: { tells: ACCESS }, withheld: { invitation_id: "null" } },
  company_service: { use: { tells: "services are granted or paid for in one installation" } },
  company_key: { use: { tells: SECRET }, withheld: { secret_hash: "null" } },
  webhook_endpoint: {
    use: { tells: SECRET },
    withheld: { secret_sealed: "null", old_secret_sealed: "null" },
  },
  webhook_message: { use: { tells: "a message is posted to programs by the installation that wrote it" } },
  carrier_link: {
    use: { tells: SECRET },
    withheld: { access_token_sealed: "null", refresh_token_sealed: "null" },
  },
  order_folder: { use: { tells: SECRET }, withheld: { secret_sealed: "null" } },
  support_grant: { use: { tells: "it was given to operators of one installation" } },
  billing_account: { use: { tells: PAYMENTS } },
  subscription_attempt: { use: { tells: PAYMENTS } },
  subscription: { use: { tells: PAYMENTS } },
  service_trial: { use: { tells: PAYMENTS } },
  notice_mail: { use: { tells: "a mail is sent once, by the installation that wrote it" } },
  audit_entry: { use: "moves" },
  audit_link: { use: "moves" },
  run: { use: "moves" },
  write: { use: "moves" },
  column_choice: { use: "moves" },
  date_order_choice: { use: "moves" },
  name_choice: { use: "moves" },
  upload: { use: "moves" },
  upload_check: { use: "moves" },
  upload_invoice: { use: "moves" },
  upload_list: { use: "moves" },
  label_settings: { use: "moves" },
  label_serial: { use: "moves" },
  label_upload: { use: "moves" },
  label: { use: "moves" },
  label_print: { use: "moves" },
  order_document: {
    use: "moves",
    files: {
      content: path("orders", day("received_at"), "id", plain("file_name")),
      reply: path("orders", day("received_at"), "id", "'997.edi'"),
    },
  },
  retail_order: { use: "moves" },
  order_notice_settings: { use: "moves" },
  order_notice_counter: { use: "moves" },
  order_notice: {
    use: "moves",
    files: {
      content: path(
        "notices",
        plain("po_number", 40),
        "id || case when document in ('v_cancel', 'v_ship') then '.xml' else '.edi' end",
      ),
    },
  },
  shipment_settings: { use: "moves" },
  shipment: { use: "moves" },
  shipment_label: {
    use: "moves",
    files: {
      bytes: path("ups-labels", plain("tracking_number", 40), "shipment_id", "seq || '.' || lower(format)"),
    },
  },
  tracking_company: { use: "moves" },
  tracked_invoice: { use: "moves" },
  tracked_package: {
    use: "moves",
    files: {
      proof_pdf: path("proofs", `${plain("number", 40)} || '.pdf'`),
      proof_page: path("proofs", plain("number", 40), "'ups-page'"),
      proof_signature: path("proofs", plain("number", 40), "'ups-signature'"),
    },
  },
  tracked_invoice_package: { use: "moves" },
  tracking_write: { use: "moves", files: { file: path("attachments", "id || '.pdf'") } },
};

const OF_ALL = "it has no rows of companies";
const BRIEF = "it serves work of minutes and is removed by itself";

/** Tables that an export leaves out, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  app_user: "users belong to the installation: an export has those that its rows name, without their sign-in",
  session: "sessions are secrets of users",
  company_export: "an export is no part of itself",
  kept_answer: `${BRIEF}; its answers are sealed`,
  carrier_request: `${BRIEF}; it holds hashes of secrets`,
  authorization_request: `${BRIEF}; it holds hashes of secrets`,
  run_failure: "it is about the program, for its operators",
  outbound_budget: BRIEF,
  outbound_lease: BRIEF,
  run_holder: OF_ALL,
  installation: OF_ALL,
  sealing_key: OF_ALL,
  metered_calls: OF_ALL,
  contact_message: OF_ALL,
  service_price: OF_ALL,
  stripe_event: OF_ALL,
  stripe_cursor: OF_ALL,
  error_cause: OF_ALL,
  error_report: OF_ALL,
  recording: OF_ALL,
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
