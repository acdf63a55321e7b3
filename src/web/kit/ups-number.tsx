/** Groups of a UPS number for reading: 1Z, account, service, sequence. */
export function splitUpsNumber(number: string): string[] {
  const groups = /^(1Z)(\w{3})(\w{3})(\w{2})(\w{4})(\w{4})$/.exec(number);
  return groups ? groups.slice(1) : [number];
}

/** A UPS number in groups that are easy to read; copied, it has no spaces. */
export function UpsNumber({ of }: { of: string }) {
  return (
    <span style={{ whiteSpace: "nowrap" }}>
      {splitUpsNumber(of).map((group, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a group is known by its place alone
        <span key={index} style={index === 0 ? undefined : { marginLeft: "0.25em" }}>
          {group}
        </span>
      ))}
    </span>
  );
}
