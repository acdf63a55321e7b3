import { expect, test } from "vitest";
import { checkSignature } from "./signature.ts";

/** Of AWS's published examples. */
const KEY = { id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const HOST = "examplebucket.s3.amazonaws.com";
const AT = "20130524T000000Z";
const PLACE = { key: KEY, region: "us-east-1", now: new Date("2013-05-24T00:01:00Z") };
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

type Example = {
  method: string;
  path: string;
  signature: string;
  extra?: Record<string, string>;
  body?: string;
};

const EXAMPLES: [string, Example][] = [
  [
    "GET of a range",
    {
      method: "GET",
      path: "/test.txt",
      extra: { range: "bytes=0-9" },
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    },
  ],
  [
    "PUT with a sign to encode",
    {
      method: "PUT",
      path: "/test%24file.text",
      body: "Welcome to Amazon S3.",
      extra: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    },
  ],
  [
    "query with an empty value",
    {
      method: "GET",
      path: "/?lifecycle",
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    },
  ],
  [
    "query of a list",
    {
      method: "GET",
      path: "/?max-keys=2&prefix=J",
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    },
  ],
];

const PAYLOADS: Record<string, string> = {
  "": EMPTY,
  "Welcome to Amazon S3.": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
};

function makeRequest({ method, path, extra = {}, body = "", signature }: Example) {
  const signed = {
    host: HOST,
    "x-amz-content-sha256": PAYLOADS[body] ?? "",
    "x-amz-date": AT,
    ...extra,
  };
  const names = Object.keys(signed).toSorted().join(";");
  const scope = `${KEY.id}/20130524/us-east-1/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${names},Signature=${signature}`;
  return {
    method,
    url: new URL(`https://${HOST}${path}`),
    headers: { ...signed, authorization },
    body: Buffer.from(body),
  };
}

test.each(EXAMPLES)(
  "AWS's example is accepted, and refused once a part of it differs: %s",
  (_name, example) => {
    const request = makeRequest(example);
    expect(checkSignature(request, PLACE)).toBeNull();
    const refused = (changed: Partial<typeof request>, place: Partial<typeof PLACE> = {}) =>
      checkSignature({ ...request, ...changed }, { ...PLACE, ...place })?.code;
    const { headers } = request;
    expect([
      refused({ method: "DELETE" }),
      refused({ url: new URL(`https://${HOST}/other`) }),
      refused({ headers: { ...headers, host: "another.example" } }),
      refused({ headers: { ...headers, "x-amz-acl": "public-read" } as typeof headers }),
      refused({ headers: { ...headers, authorization: "" } }),
      refused({ body: Buffer.from("another") }),
      refused({}, { key: { ...KEY, secret: "another" } }),
      refused({}, { key: { ...KEY, id: "another" } }),
      refused({}, { region: "eu-central-1" }),
      refused({}, { now: new Date("2013-05-24T00:16:00Z") }),
    ]).toEqual([
      "SignatureDoesNotMatch",
      "SignatureDoesNotMatch",
      "SignatureDoesNotMatch",
      "AccessDenied",
      "AccessDenied",
      "XAmzContentSHA256Mismatch",
      "SignatureDoesNotMatch",
      "InvalidAccessKeyId",
      "AuthorizationHeaderMalformed",
      "RequestTimeTooSkewed",
    ]);
  },
);
