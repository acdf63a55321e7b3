import { splitUpsNumber } from "#web/kit/ups-number.tsx";
import { expect, test } from "vitest";

test("a UPS number is shown in groups, any other number as it is", () => {
  expect(splitUpsNumber("1Z999AA10123456784")).toEqual(["1Z", "999", "AA1", "01", "2345", "6784"]);
  expect(splitUpsNumber("H123")).toEqual(["H123"]);
});
