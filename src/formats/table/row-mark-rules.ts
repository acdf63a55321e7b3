/** Also in the languages of our users' customers. A column with a plus has a minus in its other rows, which reads as blank. */
export const YES = /^(?:y|yes|true|t|1|x|ja|oui|s[ií]|sim|[+✓✔☑☒✅]\uFE0F?)$/i;
export const NO = /^(?:n|no|false|f|0|nein|non|não|nee|[✗✘☐❌✖]\uFE0F?)$/i;
/** A column of 0 and 1 may count anything. */
export const isDigit = (word: string) => word === "0" || word === "1";

/** Words for what is not billed, in the forms that programs and people write; and those that only count alone. */
const WORDS = String.raw`(?<!not |no |never )\b(?:void(?:ed)?|cancel(?:l?ed|lation)?|refund(?:ed)?|return(?:ed)?|draft|pending|fail(?:ed|ure)?|declined|rejected|denied|reversed|charge-?back|charged back|deleted|removed|archived|expired|abandoned|disputed|suspended|on[ -]hold|held|hold|write-?off|written off|uncollectible|duplicate|superseded|back-?order(?:ed)?|b/o|withdrawn|voids|quote|estimate|proposal|test|complimentary|gratis|pro bono|skip|exclude(?:d)?)\b|\bun(?:billable|chargeable|approved|confirmed|invoiceable)\b|\bnon[- ]?(?:bill(?:able|ed|ing)?|chargeable|approved|confirmed|invoiceable)\b|\b(?:not|do not|don'?t|never|no) (?:be )?(?:to be )?(?:bill(?:ed|able)?|charge(?:d|able)?|invoice(?:d)?|approved|confirmed|invoiceable)\b|\b(?:awaiting|waiting for|needs|requires) (?:approval|review|confirmation|signature)\b|\b(?:bill|invoice|charge)(?: it)? (?:later|next)\b`;
const ALONE = String.raw`delete|del|remove|sandbox|warranty|goodwill|courtesy|overhead|pto|vacation|absent|no[- ]?go|no[- ]?show|cxld?|canc|cncl|cnl|vd|rtn|rfd|rma|dnb|nfb|n/c|nc|nb|no charge|lost|(?:free )?trial|samples?|(?:stock )?transfer|internal(?: use)?|optional|bo`;

/** Beginnings of the same words in other languages; the last ones are of languages without spaces between words. */
const FOREIGN_STEMS = [
  "annul[ée]|rembours|retourn[ée]|brouillon|rejet[ée]|en attente|non factur",
  "anulad|cancelad|reembols|devuel|devolvid|borrador|rascunho|rechazad|rejeitad|pendiente|pendente|no factur|não fatur",
  String.raw`stornier|storno(?!\p{L})|gutschrift|annullier|entwurf|abgelehnt|nicht (?:abrechen|berechn)`,
  "annullat|stornat|rimborsat|bozza|rifiutat|in attesa|non fattur",
  "geannuleerd|terugbetaald|geretourneerd|afgewezen|niet factur",
  "makuler|annuller|refunder|återbetal|utkast|kladde|ikke fakturer|ej fakturer",
  "zrušen|stornov|vrácen|neúčtov|nefaktur|anulowan|zwrócon|odrzucon|nie fakturow",
  "[iİ]ptal|iade edil|отмен|аннулир|возврат|черновик",
];
const FOREIGN_WORDS =
  "取消|作废|作廢|退款|退货|退貨|草稿|免费|免費|赠品|贈品|キャンセル|返品|返金|無料|無償|下書き|취소|환불|반품|무료|증정";
/** Words for what is free, which may also be said of a shipment: they only count alone. */
const FOREIGN_FREE =
  "gratuite?|offerte?|sans frais|gratuit[oa]|sin cargo|omaggio|kostenlos|kostenfrei|unentgeltlich|kulanz|kosteloos|kostnadsfri(?:tt)?|zdarma|bezplatn[ěéýáe]|bezpłatn(?:ie|e|y|a)|ingyenes|ücretsiz|бесплатно";
const IN_OTHER_LANGUAGES = String.raw`(?<!\p{L})(?:${FOREIGN_STEMS.join("|")})\p{L}*|${FOREIGN_WORDS}`;
const FOREIGN = new RegExp(`${IN_OTHER_LANGUAGES}|^(?:${FOREIGN_FREE})$`, "iu");
const FOREIGN_NOTE = new RegExp(
  String.raw`^(?:${IN_OTHER_LANGUAGES}|${FOREIGN_FREE})\s*(?:[:–—(,.;!]|-\s|$)`,
  "iu",
);

const NOT_BILLED = new RegExp(`${WORDS}|^(?:${ALONE})$`, "i");

/** "CANCELED_BY_CUSTOMER" and "cancelledByBuyer" are written by programs. */
export const isNotBilled = (value: string): boolean =>
  NOT_BILLED.test(value.replaceAll("_", " ").replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")) ||
  FOREIGN.test(value);

/** Descriptions that begin with a mark: "VOID: entered twice". A fee for a cancellation has no such separator. */
const NOTED =
  /^\W*(?:void(?:ed)?|cancell?ed|do not (?:bill|invoice)|don'?t (?:bill|invoice)|duplicate|entered (?:in error|twice)|no charge|n\/c|(?:bill|invoice)(?: it)? (?:later|next \w+))\s*(?:[:–—(]|-\s|$)/i;

/** Notes that have nothing before their first pause but such words: "HOLD - PO missing". "Internal" describes the note itself. */
const BEGINS_WITH_MARK = new RegExp(
  String.raw`^\W{0,3}(?!internal)(?:${WORDS}|${ALONE})(?: ?(?:[:–—(,.;!?\n]|-\s|$)| -| (?:until|till?|pending|as of)\b|(?<=\bhold) (?:for|per|off)\b)`,
  "i",
);

/** Notes that say it anywhere in so many words: "Site visit (no charge)", "please don't invoice this one", "Hammer [VOID]". */
const SAYS_IT =
  /\b(?:do not|don['’]?t|not to be|never) (?:be )?(?:bill|invoice|charge)|\bno[nt][- ]?(?:billable|chargeable)\b|\b(?:at )?no charge\b|\b(?:free of|without) charge\b|\balready (?:been )?(?:billed|invoiced|paid)\b|[[(*<{]\s*(?:void(?:ed)?|cancell?ed|refunded|returned|duplicate|not billed|n\/c)\s*[\])*>}]/i;

/** Longer texts are notes. */
export const MAX_WORD = 40;

/** Lines of statements that repeat what earlier invoices billed. */
const CARRIED =
  /\b(?:previous|prior|opening|beginning|starting|outstanding|unpaid|past[ -]due|old|last|remaining|carried|brought) balance\b|\bbal(?:ance|\.)? ?(?:brought |carried )?(?:forward|fwd|b\/?f|c\/?f|due|owed|owing)\b|^(?:b\/f|c\/f|carry ?forward|arrears)$/i;

/** Headers of columns that say what became of a row; "State" alone is of an address. */
const STATE_HEADERS =
  /(?:status|stage|disposition|approval|outcome|lifecycle|attendance|decision)(?:code|cd|desc(?:ription)?|name|text)?$|^(?:sts|stat)(?:cd|code)?$|(?:order|invoice|payment|job|ticket|deal|subscription|booking|workflow)state$/;
/** States of rows that are billed. Any other one is asked about: lists of words never hold all that programs write. */
const USUAL_STATES =
  /^(?:(?:fully|partially|partly|part|auto) )?(?:paid|unpaid|fulfilled|unfulfilled|shipped|unshipped|delivered|sent|emailed|viewed|opened|open|closed|completed?|done|finali[sz]ed|final|approved|auto approved|accepted|confirmed|authori[sz]ed|captured|settled|successful|success|succeeded|active|live|current|new|ready|overdue|past due|due|posted|billed|billable|bill|invoiced|signed|received|processed|processing|in pro(?:gress|cess)|in transit|out for delivery|scheduled|ongoing|won|ok|picked|packed|payment|partial|awaiting (?:payment|shipment|fulfil?lment)|none)$/i;

export type Rule = {
  /** Header keys that it applies to; all others if left out. */
  headers?: RegExp;
  /** Words that the column must have, and no others. */
  ofWords?: RegExp;
  /** Whether a value says that its row is not billed. */
  marks: (value: string) => boolean;
  /** Whether a user must say what a value means that no word says it of. */
  asks?: (value: string) => boolean;
  /** Whether only rows that a value marks are asked about: the others are notes. */
  ofMarked?: true;
  /** Whether only the filling counts: a date under "Cancelled at". */
  byFilling?: true;
  /** Whether it applies only to a column of yes and no in which not every row says no. */
  ifMixed?: true;
  /** Whether a tick in some rows, and nothing in the others, is asked about; or any word. */
  ifTicked?: true | "any word";
  /** Whether numbers are words: codes of states. */
  ofNumbers?: true;
  /** Whether only values with an answer count. */
  ifAnswered?: true;
  /** Whether a value is of its own row only, even if it is on the first row of a record. */
  ofOwnRow?: (value: string) => boolean;
};

/**
 * A value that a user left out counts also where no value of the file marks its rows, or where they are too many to ask
 * about. A column whose values are all answered raises no question.
 */
export const AS_ANSWERED: Rule = { marks: () => false, ifAnswered: true };

/** Rules for the values of an unmatched column, by its header; the first one that applies decides. */
export const RULES: readonly Rule[] = [
  // Short words that mean something else alone: under any header, only a user knows what yes says.
  {
    ofWords: /^(?:ano|ne|áno|nie|tak|nei|nej|evet|hayır|да|нет|是|否|はい|いいえ|예|아니오|아니요)$/i,
    marks: () => false,
    asks: () => true,
  },
  // "CR" is subtracted in a column that also has "DR".
  { ofWords: /^(?:dr|cr|debit|credit)$/i, marks: (value) => /^cr/i.test(value) },
  {
    headers: /^dc$|drcr|debit|credit|indicator|sign$/,
    ofWords: /^[dc]$/i,
    marks: (value) => /^c$/i.test(value),
  },
  // Yes or no below a header that has nothing to do with billing.
  {
    headers:
      /marketing|newsletter|subscri|optin|gift|^requires|requiresshipping|taxable|taxexempt|beforetax|taxincluded|inclusive|employee|emailed|printed|viewed|synced|default|recurring|residential|signature|insured|fragile|hazmat|rush|expedited|inventory|tracked|firsttime|returning|newcustomer|isnew|hasattachment|attachment|weekend|overtime|remote|online|isparent|billaddress|paid$|deposited/,
    marks: (value) => !YES.test(value) && !NO.test(value) && isNotBilled(value),
  },
  // "Void? Yes", "Invoiced: yes", "Do not bill: x".
  {
    headers:
      /void|cancel|refund|return|delet|reject|declin|reversed|dispute|exclude|skip|hold$|onhold|non?bill|notbill|donotbill|dontbill|nonbill|unbill|nocharge|nocost|writeoff|archiv|duplicate|istest|test$|draft|warranty|goodwill|courtesy|complimentary|^comp(?:ed)?$|rework|noshow|^del$|(?:already|is|was)?(?:invoiced|billed|posted|exported)$/,
    marks: (value) => YES.test(value) || isNotBilled(value) || (/^[a-z]$/i.test(value) && !NO.test(value)),
  },
  // "Price list: FREE", "Billing type: Included"; shipping that is free, or a tax that is included, says nothing about the row.
  {
    headers:
      /^(?:bill|billing|pay|payment|price|pricing|charge|rate|fee)(?:type|kind|list|class|code|category|plan|basis|model)$/,
    marks: (value) => isNotBilled(value) || /^(?:free|included?|incl|i\/c|inter-?company)$/i.test(value),
  },
  // "Billable: No", also in every row.
  {
    headers: /^bill(?!ing|to)|billable|tobill|^charge|chargeable|invoiceable|toinvoice|include/,
    ifTicked: true,
    marks: (value) => NO.test(value) || isNotBilled(value),
  },
  {
    headers:
      /approv|confirm|active|complete|deliver|accept|valid|final|ready|fulfil|received|verified|authori|signed|success|^ok|done|agreed|attended|performed|worked|shipped|live/,
    ifMixed: true,
    ifTicked: true,
    marks: (value) => NO.test(value),
  },
  { headers: /flag$|^mark(?:er)?$/, ifTicked: "any word", marks: (value) => isNotBilled(value) },
  // Under "Warranty", yes says that nothing is billed; which one does under another header, only a user knows.
  { ifMixed: true, ifTicked: true, marks: () => false, asks: () => true },
  {
    headers: STATE_HEADERS,
    ofNumbers: true,
    marks: (value) => isNotBilled(value),
    // Only a user knows what a single letter means: "X" may be canceled.
    asks: (value) =>
      !USUAL_STATES.test(value.replaceAll(/[_-]/g, " ")) && !/^(?:yes|no|true|false)$/i.test(value),
  },
  { marks: (value) => isNotBilled(value) },
];

/** The same for a column answered only by whether it is filled: a file may have ticks in all rows, or in none. */
export const AS_FILLED_BEFORE: Rule = { marks: () => false, byFilling: true, ifAnswered: true };

/** A tick and nothing: which of them is billed, only a user knows. */
export const AS_TICKED: Rule = { marks: () => false, asks: () => true, byFilling: true };

export const AS_NOTED: Rule = {
  marks: (value) => [NOTED, BEGINS_WITH_MARK, SAYS_IT, FOREIGN_NOTE].some((mark) => mark.test(value)),
  ofMarked: true,
};

/** Marks that a line has in its own texts. Whether a balance was billed before, only a user knows. */
export const AS_LINE: Rule = {
  marks: (value) => NOTED.test(value) || SAYS_IT.test(value),
  asks: (value) => CARRIED.test(value),
  ofOwnRow: (value) => CARRIED.test(value),
  ofMarked: true,
};

/** Rows with a later revision in the same record; whether both are billed, only a user knows. */
export const AS_REPLACED: Rule = { marks: () => false, asks: () => true };

/** Values of columns in which only their filling counts. */
export const FILLED = "filled";
export const BLANK = "blank";

/** Headers of days and persons of a cancellation: it counts only whether they are filled. */
export const BY_FILLING =
  /^(?:superseded|replaced|reissued)(?:by|with|as)|^(?:is)?(?:void|cancel|refund|delet|reject|reversed|returned|declin|chargeback)[a-z]*(?:at|on|date|day|time|by|reason|datetime|utc|ts)$|(?:date|time|day)(?:of)?(?:void|cancel|refund|delet|reject|revers)/;
/** Headers under which a date or a time has the same meaning. */
export const CANCELED = /void|cancel|refunded|delet|reject|revers/;
/** Days or invoices on which some rows were billed already; where all rows have one, it is that of the record. */
const BILLED_BEFORE =
  /^(?:already|last|prev(?:ious(?:ly)?)?|prior)?(?:invoiced|billed|exported)(?:on|at|in|under)?(?:date|inv(?:oice)?)?(?:no|nr|number|id|ref(?:erence)?)?$|^date(?:invoiced|billed|exported)$/;
/** Headers of days, numbers and states that only some rows have: a return, a dispute, an invoice in the books, a day to wait for. */
const PARTIAL_HEADERS =
  /^return(?:ed)?(?:date|at|on)?$|^(?:date)?(?:of)?return$|^disputed?(?:date|at|on|no|id|status|reason)?$|^(?:rma|creditmemo|creditnote)(?:no|nr|number|id)?$|^(?:qb|qbo|quickbooks)(?:inv|invoice)(?:no|nr|number|id)$|^(?:hold|onhold|(?:dont|donot)bill|billnot|bill|notbefore|postponed?)(?:until|till|before|after|to)(?:date)?$/;
/** Days and persons of an approval or a delivery; a blank one may say that it is still to come. */
const TO_COME =
  /^(?:approv(?:ed|al)|signoff|signedoff|authori[sz]ed|deliver(?:ed|y)|complet(?:ed|ion)|verified|accepted|confirmed)(?:by|at|on|date|time|day)?$/;
/** Columns that name another row, which this one may replace. */
const REPLACES = /^(?:replaces|supersedes|corrects|amends|correctionof|revisionof)/;
/** A cell that is filled says that its row is not billed. */
export const IF_FILLED: Rule = { marks: (value) => value === FILLED, byFilling: true };

/** Rules for columns that only some rows have; where all have it, it is of every record. */
export const PARTIAL_COLUMN_RULES: readonly {
  headers: RegExp;
  rule: Rule;
  /** Whether words without a digit are read by themselves. */
  ofNumbers?: true;
}[] = [
  { headers: BILLED_BEFORE, ofNumbers: true, rule: IF_FILLED },
  { headers: REPLACES, ofNumbers: true, rule: AS_TICKED },
  { headers: PARTIAL_HEADERS, rule: IF_FILLED },
  { headers: TO_COME, rule: AS_TICKED },
];

/** Headers of what may be counted in pieces. */
export const COUNTED = /return|refund|reject|cancel/;
