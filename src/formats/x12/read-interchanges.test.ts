import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { DEFAULT_DELIMITERS } from "./delimiters.ts";
import { sampleFile, sampleHeader, sampleOrder } from "./fixtures/sample-orders.ts";
import { readInterchanges, readInterchangeStream, type X12Part } from "./read-interchanges.ts";
import { DELIMITERS_4010 } from "./write-interchange.ts";

const read = (file: string | Uint8Array): X12Part[] => [
  ...readInterchanges(typeof file === "string" ? Buffer.from(file) : file),
];

/** Faults in short: where, code and what was sent. */
function faultsIn(parts: readonly X12Part[]): string[] {
  return parts.flatMap((part) => {
    if (part.kind === "outside") return [`outside: ${part.fault.code} ${part.fault.value}`.trim()];
    const faults = part.kind === "set" ? part.set.faults : part.faults;
    return faults.map(({ code, segment, position, element, value }) =>
      [`${part.kind}:`, code, segment, position, element, value]
        .filter((each) => each !== "" && each !== null)
        .join(" "),
    );
  });
}

const goodSets = (parts: readonly X12Part[]): string[] =>
  parts.flatMap((part) =>
    part.kind === "set" && part.set.faults.length === 0 ? [part.set.controlNumber] : [],
  );

/** A good interchange with one set. */
const good = [{ kind: "set" }, { kind: "group" }, { kind: "interchange" }];

test("an interchange is read whatever its delimiters, line breaks and releases are", () => {
  const control = { element: "\u001d", component: "\u001f", repetition: "\u001e", segment: "\u001c" };
  const newline = { ...DEFAULT_DELIMITERS, element: "|", segment: "\n" };
  const files = [
    ...["", "\n", "\r\n", "\r\n\r\n", " \n"].map((lineBreak) => sampleFile({ lineBreak })),
    sampleFile({ delimiters: DELIMITERS_4010 }),
    sampleFile({ delimiters: { ...DELIMITERS_4010, element: "|", component: ":", segment: "'" } }),
    sampleFile({ delimiters: control, lineBreak: "" }),
    sampleFile({ delimiters: newline, lineBreak: "" }),
    sampleFile({ delimiters: { ...newline, segment: "\r" }, lineBreak: "\n" }),
    sampleFile({ delimiters: { ...DEFAULT_DELIMITERS, element: "\t" }, lineBreak: "" }),
    `\uFEFF${sampleFile()}`,
    `\r\n  ${sampleFile()}\r\n\u001a`,
    sampleFile({ lineBreak: "" }).slice(0, -1),
  ];
  for (const file of files) {
    const parts = read(file);
    expect(parts).toMatchObject(good);
    expect(faultsIn(parts)).toEqual([]);
    const [first] = parts;
    if (first?.kind !== "set") throw new Error("no set");
    expect(first.set.segments.map((segment) => segment.join("*"))).toEqual(sampleOrder());
  }
});

test("the headers of a set say who sent it, when and in which release", () => {
  const [part] = read(sampleFile());
  expect(part).toMatchObject({
    kind: "set",
    set: {
      type: "850",
      controlNumber: "0001",
      interchange: {
        controlNumber: "000000017",
        senderQualifier: "ZZ",
        sender: "RETAILER",
        receiverQualifier: "ZZ",
        receiver: "SUPPLIER",
        date: "261126",
        time: "0915",
        version: "00406",
        isTest: false,
        wantsAcknowledgment: false,
        delimiters: DEFAULT_DELIMITERS,
      },
      group: {
        functionalId: "PO",
        sender: "RETAILER",
        receiver: "SUPPLIER",
        controlNumber: "5",
        version: "004060",
        isReleaseKnown: true,
      },
    },
  });
  const releases = ["004010", "004060VICS", "005010", "003040"].map((version) => {
    const group = `GS*PO*RETAILER*SUPPLIER*20261126*0915*5*X*${version}`;
    const [set] = read(sampleFile({ group }));
    return set?.kind === "set" && set.set.group.isReleaseKnown;
  });
  expect(releases).toEqual([true, true, false, false]);
});

test("several interchanges of one file are read, each with its own delimiters and control numbers", () => {
  const other = { element: "|", component: ":", repetition: null, segment: "\n" };
  const parts = read(
    `${sampleFile()}\n${sampleFile({ delimiters: other, lineBreak: "" })}\uFEFF${sampleFile()}`,
  );
  expect(parts).toMatchObject([...good, ...good, ...good]);
  expect(faultsIn(parts)).toEqual([]);
  const numbers = parts.flatMap((part) => (part.kind === "group" ? [[part.declared, part.received]] : []));
  expect(numbers).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
});

test("a bad transaction set is refused as a whole, and the others in the file are read", () => {
  const [first, second, three] = [sampleOrder(1), sampleOrder(2), sampleOrder(3)];
  const cases: [string, readonly string[], string][] = [
    ["a wrong count", second.with(16, "SE*16*0002"), "segment_count_differs SE 17 1 16"],
    ["no count", second.with(16, "SE**0002"), "segment_count_differs SE 17 1"],
    ["a number that differs", second.with(16, "SE*17*0003"), "set_number_differs SE 17 2 0003"],
    ["more behind the number", second.with(16, "SE*17*0002*ST"), "too_many_elements SE 17 3 ST"],
    ["no trailer", second.slice(0, 16), "set_trailer_missing SE"],
    ["a lost segment", second.toSpliced(4, 1), "segment_count_differs SE 16 1 17"],
    ["a segment twice", second.toSpliced(4, 0, second[4] ?? ""), "segment_count_differs SE 18 1 17"],
    ["no name", second.with(4, "*C*D240"), "segment_name_not_valid 5"],
    ["no segment", second.with(4, ""), "segment_name_not_valid 5"],
    ["a small name", second.with(4, "sac*C*D240"), "segment_name_not_valid sac 5 sac"],
    ["a long name", second.with(4, "SACC*C*D240"), "segment_name_not_valid SAC 5 SACC"],
    ["a control character", second.with(8, "MSG*a\u0001b"), "character_not_valid MSG 9 1 a\u0001b"],
    ["a line break", second.with(8, "MSG*a\nb"), "character_not_valid MSG 9 1 a\nb"],
    ["another group's set", second.with(0, "ST*856*0002"), "set_not_of_group ST 1 1 856"],
    ["no type", second.with(0, "ST**0002"), "set_not_of_group ST 1 1"],
    ["a short number", second.with(0, "ST*850*2").with(16, "SE*17*2"), "set_header_value ST 1 2 2"],
  ];
  for (const [title, set, fault] of cases) {
    // `sampleFile` leaves empty segments out, so that one is made by doubling a terminator.
    const file = sampleFile({
      sets: [first, set.map((segment) => segment || "\u0002"), three],
      lineBreak: "",
    });
    const parts = read(file.replace("\u0002", ""));
    expect([title, faultsIn(parts)]).toEqual([title, [`set: ${fault}`]]);
    expect([title, goodSets(parts)]).toEqual([title, ["0001", "0003"]]);
  }
});

test("groups and interchanges report what is wrong with them, and their good sets stay good", () => {
  const sets = [sampleOrder(1), sampleOrder(2)];
  const cases: [Parameters<typeof sampleFile>[0], string[]][] = [
    [{ groupEnd: "GE*3*5" }, ["group: set_count_differs GE 1 3"]],
    [{ groupEnd: "GE*x*5" }, ["group: set_count_differs GE 1 x"]],
    [{ groupEnd: "GE*2*6" }, ["group: group_number_differs GE 2 6"]],
    [{ groupEnd: "GE*2*005" }, []],
    [{ groupEnd: "" }, ["group: group_trailer_missing GE"]],
    [{ end: "IEA*2*000000017" }, ["interchange: group_count_differs IEA 1 2"]],
    [{ end: "IEA*1*000000018" }, ["interchange: interchange_number_differs IEA 2 000000018"]],
    [{ end: "IEA*1*17" }, []],
    [{ end: "" }, ["interchange: interchange_trailer_missing IEA"]],
    [
      { end: "", groupEnd: "" },
      ["group: group_trailer_missing GE", "interchange: interchange_trailer_missing IEA"],
    ],
    [
      { group: "GS*P*RETAILER*SUPPLIER*20261126*0915*x*X*40" },
      [
        "group: group_header_value GS 1 P",
        "group: group_header_value GS 6 x",
        "group: group_header_value GS 8 40",
        "group: group_number_differs GE 2 5",
      ],
    ],
  ];
  for (const [changes, faults] of cases) {
    const parts = read(sampleFile({ sets, ...changes }));
    expect(faultsIn(parts).filter((fault) => !fault.startsWith("set: set_not_of_group"))).toEqual(faults);
    if (!changes?.group) expect(goodSets(parts)).toEqual(["0001", "0002"]);
  }
});

test("segments outside sets and groups are reported once each", () => {
  const lost = sampleOrder(2).slice(1);
  expect(faultsIn(read(sampleFile({ sets: [sampleOrder(1), lost] })))).toEqual([
    "group: segment_outside_set BEG BEG*00*DS*80002**20261126",
    "group: set_count_differs GE 1 2",
  ]);
  const [segment] = faultsIn(read(sampleFile({ group: "REF*CO*1" })));
  expect(segment).toBe("interchange: segment_outside_group REF REF*CO*1");
  const early = sampleFile()
    .replace("GE*1*5~\n", "")
    .replace("IEA", "GS*PO*A*B*20261126*0915*6*X*004060~GE*0*6~IEA");
  expect(faultsIn(read(early))).toEqual([
    "group: group_trailer_missing GE",
    "interchange: group_count_differs IEA 1 1",
  ]);
});

test("a header that is not ISA's 106 characters is refused, and the next interchange is read", () => {
  const file = sampleFile();
  const cases: [string, string][] = [
    [file.replace("RETAILER       ", "RETAILER"), "outside: interchange_header_length RETAILER"],
    [file.replace("*00406*", "*406*"), "outside: interchange_header_length 406"],
    [file.replace("000000017*0*P", "00000001A*0*P"), "outside: interchange_header_value 00000001A"],
    [file.replace("*0*P*>", "*0*X*>"), "outside: interchange_header_value X"],
    [file.replace("*P*>~", "*P***"), "outside: interchange_header_length"],
    [file.replace("*P*>~", "*P*~~"), "outside: delimiters_not_usable ~"],
    [file.replace("*P*>~", "*P*A~"), "outside: delimiters_not_usable A"],
    [file.slice(0, 80), "outside: interchange_header_length 261"],
  ];
  for (const [bad, fault] of cases) {
    const parts = read(`${bad}\n${file}`);
    expect(faultsIn(parts)).toEqual(
      fault.endsWith("261") ? [expect.stringContaining("header_length")] : [fault],
    );
    expect(goodSets(parts)).toEqual(["0001"]);
  }
});

test("text that is not an interchange is reported, with where it begins", () => {
  expect(faultsIn(read(""))).toEqual(["outside: no_interchange"]);
  expect(faultsIn(read(" \r\n"))).toEqual(["outside: no_interchange"]);
  expect(faultsIn(read("PO Number,Qty\n1,2\n"))).toEqual([
    "outside: outside_interchange PO Number,Qty\n1,2",
    "outside: no_interchange",
  ]);
  expect(faultsIn(read(`Subject: orders\n\n${sampleFile()}`))).toEqual([
    "outside: outside_interchange Subject: orders",
  ]);
  expect(faultsIn(read(`${sampleFile()}\nSent by VISA`))).toEqual([
    "outside: outside_interchange Sent by VISA",
  ]);
  expect(
    faultsIn(
      read(
        sampleFile()
          .repeat(2)
          .replace(/~\nIEA.*~\nISA/s, "~\nISA"),
      ),
    ),
  ).toEqual(["interchange: interchange_trailer_missing IEA"]);
});

test("a file cut off anywhere loses only what is incomplete", () => {
  const file = sampleFile({ sets: [sampleOrder(1), sampleOrder(2)], lineBreak: "" });
  const [first, second] = [1, 2].map((each) => file.indexOf(`SE*17*000${each}~`) + 11) as [number, number];
  for (let length = 0; length < file.length - 2; length += 1) {
    const parts = read(file.slice(0, length));
    expect(goodSets(parts)).toEqual(length < first ? [] : length < second ? ["0001"] : ["0001", "0002"]);
    expect(faultsIn(parts)).not.toEqual([]);
  }
});

test("a segment that never ends stops its interchange, not the file", () => {
  const torn = sampleFile({ lineBreak: "" }).replace("MSG*Happy birthday~", `MSG*${"x".repeat(40_000)}~`);
  const parts = read(`${torn}${sampleFile()}`);
  expect(faultsIn(parts)).toEqual([
    "set: set_trailer_missing SE",
    "group: group_trailer_missing GE",
    `interchange: segment_not_ended MSG*${"x".repeat(95)}`,
    "interchange: interchange_trailer_missing IEA",
  ]);
  expect(goodSets(parts)).toEqual(["0001"]);
});

test("characters are read as UTF-8, else as Windows-1252, decided by each set's own bytes", () => {
  const named = (name: string) => sampleOrder().with(9, `N1*ST*${name}*92*S1`);
  const unicode = Buffer.from(sampleFile({ sets: [named("Zoë Łukasz 東京 \uFEFFx 🙂")] }));
  const ansi = Buffer.from(sampleFile({ sets: [named("Zo\xEB \x93M\xFCller\x94")] }), "latin1");
  const names = [unicode, ansi, Buffer.concat([unicode, ansi])].map((file) =>
    read(file).flatMap((part) => (part.kind === "set" ? [part.set.segments[9]?.[2]] : [])),
  );
  const [first, second] = ["Zoë Łukasz 東京 \uFEFFx 🙂", "Zoë “Müller”"];
  expect(names).toEqual([[first], [second], [first, second]]);
  expect(faultsIn(read(sampleFile({ sets: [named("a\u0085b")] })))).toEqual([
    "set: character_not_valid N1 10 2 a\u0085b",
  ]);
});

test("a stream in chunks of any size gives the same parts as the whole file", async () => {
  const unicode = sampleOrder(2).with(9, "N1*ST*Zoë 東京*92*S1");
  const file = Buffer.from(
    `\uFEFF\n${sampleFile({ sets: [sampleOrder(1), unicode] })}x${sampleFile()}${sampleHeader()}`,
  );
  const whole = read(file);
  for (const size of [1, 3, 7, 64, 106, 1000]) {
    const pieces = Array.from({ length: Math.ceil(file.length / size) }, (_, at) =>
      file.subarray(at * size, (at + 1) * size),
    );
    const parts: X12Part[] = [];
    for await (const part of readInterchangeStream(Readable.from(pieces))) parts.push(part);
    expect(parts).toEqual(whole);
  }
});

test("a set of endless segments is refused without being stored", () => {
  const order = sampleOrder();
  const sets = [
    order.toSpliced(8, 0, ...Array.from({ length: 60_000 }, () => "MSG*x")).with(-1, "SE*60017*0001"),
  ];
  const [part] = read(sampleFile({ sets }));
  if (part?.kind !== "set") throw new Error("no set");
  expect(faultsIn([part])).toEqual(["set: set_too_long"]);
  expect(part.set.segments.length).toBe(50_001);
});
