/** A country by its ISO 3166 codes. */
export type Country = { alpha2: string; numeric: string };

/** Two letters, three letters and number of every country. */
const CODES = `ADAND020 AEARE784 AFAFG004 AGATG028 AIAIA660 ALALB008 AMARM051 AOAGO024 AQATA010 ARARG032 ASASM016 ATAUT040
AUAUS036 AWABW533 AXALA248 AZAZE031 BABIH070 BBBRB052 BDBGD050 BEBEL056 BFBFA854 BGBGR100 BHBHR048 BIBDI108
BJBEN204 BLBLM652 BMBMU060 BNBRN096 BOBOL068 BQBES535 BRBRA076 BSBHS044 BTBTN064 BVBVT074 BWBWA072 BYBLR112
BZBLZ084 CACAN124 CCCCK166 CDCOD180 CFCAF140 CGCOG178 CHCHE756 CICIV384 CKCOK184 CLCHL152 CMCMR120 CNCHN156
COCOL170 CRCRI188 CUCUB192 CVCPV132 CWCUW531 CXCXR162 CYCYP196 CZCZE203 DEDEU276 DJDJI262 DKDNK208 DMDMA212
DODOM214 DZDZA012 ECECU218 EEEST233 EGEGY818 EHESH732 ERERI232 ESESP724 ETETH231 FIFIN246 FJFJI242 FKFLK238
FMFSM583 FOFRO234 FRFRA250 GAGAB266 GBGBR826 GDGRD308 GEGEO268 GFGUF254 GGGGY831 GHGHA288 GIGIB292 GLGRL304
GMGMB270 GNGIN324 GPGLP312 GQGNQ226 GRGRC300 GSSGS239 GTGTM320 GUGUM316 GWGNB624 GYGUY328 HKHKG344 HMHMD334
HNHND340 HRHRV191 HTHTI332 HUHUN348 IDIDN360 IEIRL372 ILISR376 IMIMN833 ININD356 IOIOT086 IQIRQ368 IRIRN364
ISISL352 ITITA380 JEJEY832 JMJAM388 JOJOR400 JPJPN392 KEKEN404 KGKGZ417 KHKHM116 KIKIR296 KMCOM174 KNKNA659
KPPRK408 KRKOR410 KWKWT414 KYCYM136 KZKAZ398 LALAO418 LBLBN422 LCLCA662 LILIE438 LKLKA144 LRLBR430 LSLSO426
LTLTU440 LULUX442 LVLVA428 LYLBY434 MAMAR504 MCMCO492 MDMDA498 MEMNE499 MFMAF663 MGMDG450 MHMHL584 MKMKD807
MLMLI466 MMMMR104 MNMNG496 MOMAC446 MPMNP580 MQMTQ474 MRMRT478 MSMSR500 MTMLT470 MUMUS480 MVMDV462 MWMWI454
MXMEX484 MYMYS458 MZMOZ508 NANAM516 NCNCL540 NENER562 NFNFK574 NGNGA566 NINIC558 NLNLD528 NONOR578 NPNPL524
NRNRU520 NUNIU570 NZNZL554 OMOMN512 PAPAN591 PEPER604 PFPYF258 PGPNG598 PHPHL608 PKPAK586 PLPOL616 PMSPM666
PNPCN612 PRPRI630 PSPSE275 PTPRT620 PWPLW585 PYPRY600 QAQAT634 REREU638 ROROU642 RSSRB688 RURUS643 RWRWA646
SASAU682 SBSLB090 SCSYC690 SDSDN729 SESWE752 SGSGP702 SHSHN654 SISVN705 SJSJM744 SKSVK703 SLSLE694 SMSMR674
SNSEN686 SOSOM706 SRSUR740 SSSSD728 STSTP678 SVSLV222 SXSXM534 SYSYR760 SZSWZ748 TCTCA796 TDTCD148 TFATF260
TGTGO768 THTHA764 TJTJK762 TKTKL772 TLTLS626 TMTKM795 TNTUN788 TOTON776 TRTUR792 TTTTO780 TVTUV798 TWTWN158
TZTZA834 UAUKR804 UGUGA800 UMUMI581 USUSA840 UYURY858 UZUZB860 VAVAT336 VCVCT670 VEVEN862 VGVGB092 VIVIR850
VNVNM704 VUVUT548 WFWLF876 WSWSM882 YEYEM887 YTMYT175 ZAZAF710 ZMZMB894 ZWZWE716`;

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");

const byCode = new Map<string, Country>();
for (const code of CODES.split(/\s/)) {
  const country = { alpha2: code.slice(0, 2), numeric: code.slice(5) };
  for (const key of [country.alpha2, code.slice(2, 5)]) byCode.set(key.toLowerCase(), country);
}
for (const [name, alpha2] of [
  ["unitedstatesofamerica", "us"],
  ["america", "us"],
  ["uk", "gb"],
  ["greatbritain", "gb"],
  ["england", "gb"],
] as const) {
  const country = byCode.get(alpha2);
  if (country) byCode.set(name, country);
}

let byName: ReadonlyMap<string, Country> | undefined;

/**
 * Loaded for the first sheet that spells out a country: loading all names takes longer than reading a small
 * sheet.
 */
function loadCountryNames(): ReadonlyMap<string, Country> {
  const names = new Intl.DisplayNames("en", { type: "region" });
  return new Map([...byCode.values()].map((country) => [plain(names.of(country.alpha2) ?? ""), country]));
}

/** Finds a country by either code or by its English name. */
export function findCountry(text: string): Country | undefined {
  const key = plain(text);
  return byCode.get(key) ?? (byName ??= loadCountryNames()).get(key);
}

const US_STATES = `AK Alaska|AL Alabama|AS American Samoa|AZ Arizona|AR Arkansas|CA California|CO Colorado
CT Connecticut|DC District of Columbia|DE Delaware|FL Florida|GA Georgia|GU Guam|HI Hawaii|ID Idaho
IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland
MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska
NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota
MP Northern Mariana Islands|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico
RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont
VI Virgin Islands|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming
AA Armed Forces Americas|AE Armed Forces Europe|AP Armed Forces Pacific`;

const STATES: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  US: parseStates(US_STATES),
  CA: parseStates(`AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador
NS Nova Scotia|NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec
SK Saskatchewan|YT Yukon`),
};

function splitStates(list: string) {
  return list.split(/[|\n]/).map((entry) => [entry.slice(0, 2), entry.slice(3)] as const);
}

const US_NAMES: ReadonlyMap<string, string> = new Map(splitStates(US_STATES));

/** Maps codes and names to the code. */
function parseStates(list: string): ReadonlyMap<string, string> {
  return new Map(
    splitStates(list).flatMap(([code, name]) => [code, name].map((each) => [plain(each), code] as const)),
  );
}

/** Whether addresses in a country need a state. */
export const hasStates = ({ alpha2 }: Country): boolean => alpha2 in STATES;

/** Finds the code of a state or province by its code or name. */
export const findState = ({ alpha2 }: Country, text: string): string | undefined =>
  STATES[alpha2]?.get(plain(text));

/** States whose ZIP codes begin with a zero, which Excel removes. */
export const ZERO_ZIP_STATES: ReadonlySet<string> = new Set([
  "CT",
  "MA",
  "ME",
  "NH",
  "NJ",
  "PR",
  "RI",
  "VI",
  "VT",
]);

/** First digits of the ZIP codes of each state, as the Postal Service assigns them. */
const ZIP_STARTS: Readonly<Record<string, string>> = Object.fromEntries(
  splitStates(`AK 995–999|AL 350–369|AP 962–966|AR 716–729|AZ 850–865|CA 900–961|CO 800–816|DC 200–205|DE 197–199
FL 320–349|GA 300–319 or 398–399|GU 969|HI 967–968|IA 500–528|ID 832–838|IL 600–629|IN 460–479|KS 660–679
KY 400–427|LA 700–714|MD 206–219|MI 480–499|MN 550–567|MO 630–658|MS 386–397|MT 590–599|NC 270–289|ND 580–588
NE 680–693|NM 870–884|NV 889–898|NY 100–149|OH 430–459|OK 730–749|OR 970–979|PA 150–196|SC 290–299|SD 570–577
TN 370–385|TX 750–799 or 885|UT 840–847|VA 201 or 220–246|WA 980–994|WI 530–549|WV 247–268|WY 820–831`),
);

/** Name of a US state and the first digits of its ZIP codes; empty for a state without its own range. */
export function zipStarts(state: string): { state: string; starts: string } {
  const name = US_NAMES.get(state);
  const starts = ZIP_STARTS[state];
  return name && starts ? { state: name, starts } : { state: "", starts: "" };
}
