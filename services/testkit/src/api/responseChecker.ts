import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { errorCodes, type ErrorBody, type ErrorCode } from '@hearth/contract/errors.ts';
import { responseHeaders, type ResponseHeader } from '@hearth/contract/headers.ts';
import { createOpenApiDocument } from '@hearth/contract/openapi.ts';
import { routes } from '@hearth/contract/routes.ts';
import { apiVersion } from '@hearth/contract/system.ts';

/** An unchecked response. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** True for the response to a HEAD, which has no body. */
  readonly isHead?: boolean;
}

/** Asserts that a response of a route conforms to the contract: status, headers and every field of the body. */
export const checkResponse = (name: keyof typeof routes, response: RawResponse): void => {
  const route: Route = routes[name];
  const { status, headers } = response;
  const about = `${name} returned ${status} ${response.bytes.subarray(0, 500).toString()}`;
  assert.match(headers.get('x-request-id') ?? '', /^[\w.:-]{1,128}$/, about);
  if (status >= 400) return checkError(name, route.errors, response);

  const documented = Object.entries(route.responses).find(([documented]) => Number(documented) === status)?.[1];
  assert.ok(documented, `${about}: the contract does not list this status`);
  markSeen(name, status);
  checkHeaders(headers, documented.headers ?? [], about);
  const type = headers.get('content-type') ?? '';
  if (documented.schema !== undefined) {
    assert.match(type, /^application\/json; charset=utf-8$/, about);
    if (!response.isHead)
      checkSchema(`${toPointer(route)}/responses/${status}/content/application~1json/schema`, response);
  } else if (documented.binary !== undefined) {
    assert.ok(
      documented.binary.some((pattern) => type.startsWith(pattern.replace('*', ''))),
      `${about}: ${type}`,
    );
  } else if (documented.eventStream !== undefined) {
    assert.match(type, /^text\/event-stream; charset=utf-8$/, about);
  } else {
    assert.equal(response.bytes.length, 0, about);
    assert.equal(type, '', about);
  }
};

/** Asserts that an event of a stream conforms to the contract. */
export const checkEvent = (name: keyof typeof routes, event: unknown): void => {
  const at = `${toPointer(routes[name])}/responses/200/content/text~1event-stream/schema`;
  checkSchema(at, { bytes: Buffer.from(JSON.stringify(event)) });
};

/** Asserts that an error has the common format, a code that the contract lists, and reveals no internals. */
export const checkError = (name: string, documented: readonly ErrorCode[], response: RawResponse): void => {
  const { status, headers, bytes } = response;
  const route = `${name} returned ${status} ${bytes.subarray(0, 500).toString()}`;
  markSeen(name, status);
  assert.match(headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/, route);
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^(Bearer|Basic realm=.*)$/, route);
  if (status === 429) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, route);
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^\d+$/, route);
  if (response.isHead) return;
  checkSchema('#/components/schemas/Error', response);
  const { code, message, requestId, errors } = JSON.parse(bytes.toString()) as ErrorBody;
  assert.ok(documented.includes(code), `${route}: the contract does not list this code`);
  assert.equal(errorCodes[code].status, status, route);
  assert.equal(requestId, headers.get('x-request-id'), route);
  if (code === 'UNAUTHORIZED') assert.equal(message, 'Unauthorized');
  // All 400 responses, and no others, list the invalid parts of the request.
  assert.equal((errors?.length ?? 0) > 0, status === 400, route);
  for (const { path } of errors ?? []) assert.match(path, /^((params|query|headers|body)(\.|$)|(path|file)$)/, route);
  // Internals: stack traces, SQL, file paths.
  assert.doesNotMatch(
    bytes.toString(),
    /\bat .*:\d+:\d+|\b(select|insert|update|delete) .*\b(from|into|set)\b|\/(tmp|home|work|usr)\//i,
  );
  markSeen(name, code);
};

/** Asserts that the tests of a file have received every success and error that the contract lists for a route. */
export const assertAllResponsesSeen = (name: keyof typeof routes): void => {
  const { responses, errors, method }: Route = routes[name];
  // A response to HEAD has a status, but no error code.
  const failures = method === 'head' ? errors.map((code) => String(errorCodes[code].status)) : errors;
  const unseen = [...Object.keys(responses), ...failures].filter((response) => !seen.get(name)?.has(response));
  assert.deepEqual(
    unseen,
    [],
    `no test received these responses of ${name}; add a fixture in testkit/src/api/routeFixtures.ts`,
  );
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addFormat('base64', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
// The document is not a JSON schema itself. The schemas in it are compiled on first use.
ajv.addSchema(createOpenApiDocument({ version: apiVersion }), 'hearth', undefined, false);

const toPointer = ({ path, method }: Route): string =>
  `#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}`;

const checkSchema = (at: string, { bytes }: Pick<RawResponse, 'bytes'>): void => {
  const validate = ajv.getSchema(`hearth${at}`);
  assert.ok(validate, `${at} is not in the contract`);
  const isValid = validate(JSON.parse(bytes.toString()));
  assert.ok(isValid, `${ajv.errorsText(validate.errors)}: ${bytes.subarray(0, 2_000).toString()}`);
};

/**
 * Asserts that listed headers are present, except optional ones such as `Link`, which the last page lacks. Also asserts
 * that `Link`, `X-Total-Count`, `Location`, `ETag` and `Content-Range` are missing where the contract does not list them.
 */
const checkHeaders = (headers: Headers, documented: readonly ResponseHeader[], route: string): void => {
  for (const header of documented) {
    const isOptional = responseHeaders[header].safeParse(undefined).success;
    assert.ok(isOptional || headers.has(header), `${route}: without ${header}`);
  }
  for (const header of ['Link', 'X-Total-Count', 'Location', 'ETag', 'Content-Range'] as const) {
    if (!documented.includes(header)) assert.ok(!headers.has(header), `${route}: the contract does not list ${header}`);
    const value = headers.get(header);
    if (value !== null && header === 'X-Total-Count') responseHeaders[header].parse(Number(value));
  }
};

const seen = new Map<string, Set<string>>();

/** Forgets seen responses. Call it before the first test of a file: another file may have run in this process. */
export const resetSeenResponses = (): void => seen.clear();

const markSeen = (name: string, response: number | string): void => {
  seen.set(name, (seen.get(name) ?? new Set()).add(String(response)));
};
