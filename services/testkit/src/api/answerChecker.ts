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
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** True for the response to a HEAD, which has no body. */
  readonly isHead?: boolean;
}

/** Asserts that a response of a route conforms to the contract: status, headers and every field of the body. */
export const checkAnswer = (name: keyof typeof routes, answer: RawAnswer): void => {
  const route: Route = routes[name];
  const { status, headers } = answer;
  const about = `${name} answered ${status} ${answer.bytes.subarray(0, 500).toString()}`;
  assert.match(headers.get('x-request-id') ?? '', /^[\w.:-]{1,128}$/, about);
  if (status >= 400) return checkError(name, route.errors, answer);

  const listed = Object.entries(route.responses).find(([listed]) => Number(listed) === status)?.[1];
  assert.ok(listed, `${about}: the contract does not list this status`);
  saw(name, status);
  checkHeaders(headers, listed.headers ?? [], about);
  const type = headers.get('content-type') ?? '';
  if (listed.schema !== undefined) {
    assert.match(type, /^application\/json; charset=utf-8$/, about);
    if (!answer.isHead) checkSchema(`${pointer(route)}/responses/${status}/content/application~1json/schema`, answer);
  } else if (listed.binary !== undefined) {
    assert.ok(
      listed.binary.some((pattern) => type.startsWith(pattern.replace('*', ''))),
      `${about}: ${type}`,
    );
  } else if (listed.eventStream !== undefined) {
    assert.match(type, /^text\/event-stream; charset=utf-8$/, about);
  } else {
    assert.equal(answer.bytes.length, 0, about);
    assert.equal(type, '', about);
  }
};

/** Asserts that an event of a stream conforms to the contract. */
export const checkEvent = (name: keyof typeof routes, event: unknown): void => {
  const at = `${pointer(routes[name])}/responses/200/content/text~1event-stream/schema`;
  checkSchema(at, { bytes: Buffer.from(JSON.stringify(event)) });
};

/** Asserts that an error has the common format, a code that the contract lists, and reveals no internals. */
export const checkError = (name: string, listed: readonly ErrorCode[], answer: RawAnswer): void => {
  const { status, headers, bytes } = answer;
  const about = `${name} answered ${status} ${bytes.subarray(0, 500).toString()}`;
  saw(name, status);
  assert.match(headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/, about);
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^(Bearer|Basic realm=.*)$/, about);
  if (status === 429) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, about);
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^\d+$/, about);
  if (answer.isHead) return;
  checkSchema('#/components/schemas/Error', answer);
  const { code, message, requestId, errors } = JSON.parse(bytes.toString()) as ErrorBody;
  assert.ok(listed.includes(code), `${about}: the contract does not list this code`);
  assert.equal(errorCodes[code].status, status, about);
  assert.equal(requestId, headers.get('x-request-id'), about);
  if (code === 'UNAUTHORIZED') assert.equal(message, 'Unauthorized');
  // Exactly the 400 responses list what is invalid.
  assert.equal((errors?.length ?? 0) > 0, status === 400, about);
  for (const { path } of errors ?? []) assert.match(path, /^((params|query|headers|body)(\.|$)|(path|file)$)/, about);
  // Internals: stack traces, SQL, file paths.
  assert.doesNotMatch(
    bytes.toString(),
    /\bat .*:\d+:\d+|\b(select|insert|update|delete) .*\b(from|into|set)\b|\/(tmp|home|work|usr)\//i,
  );
  saw(name, code);
};

/** Asserts that the tests of a file have received every success and error that the contract lists for a route. */
export const assertAllAnswersSeen = (name: keyof typeof routes): void => {
  const { responses, errors, method }: Route = routes[name];
  // A response to HEAD has a status, but no error code.
  const failures = method === 'head' ? errors.map((code) => String(errorCodes[code].status)) : errors;
  const unseen = [...Object.keys(responses), ...failures].filter((answer) => !seen.get(name)?.has(answer));
  assert.deepEqual(
    unseen,
    [],
    `no test has made ${name} answer these: say in testkit/src/api/routeDrives.ts what does`,
  );
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addFormat('base64', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
// The document is not a JSON schema itself. The schemas in it are compiled on first use.
ajv.addSchema(createOpenApiDocument({ version: apiVersion }), 'hearth', undefined, false);

const pointer = ({ path, method }: Route): string =>
  `#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}`;

const checkSchema = (at: string, { bytes }: Pick<RawAnswer, 'bytes'>): void => {
  const validate = ajv.getSchema(`hearth${at}`);
  assert.ok(validate, `the contract has no ${at}`);
  const isValid = validate(JSON.parse(bytes.toString()));
  assert.ok(isValid, `${ajv.errorsText(validate.errors)}: ${bytes.subarray(0, 2_000).toString()}`);
};

/** Listed headers are required, except optional ones such as `Link`, which the last page lacks. Others must be missing. */
const checkHeaders = (headers: Headers, listed: readonly ResponseHeader[], about: string): void => {
  for (const header of listed) {
    const isOptional = responseHeaders[header].safeParse(undefined).success;
    assert.ok(isOptional || headers.has(header), `${about}: without ${header}`);
  }
  for (const header of ['Link', 'X-Total-Count', 'Location', 'ETag', 'Content-Range'] as const) {
    if (!listed.includes(header)) assert.ok(!headers.has(header), `${about}: the contract does not list ${header}`);
    const value = headers.get(header);
    if (value !== null && header === 'X-Total-Count') responseHeaders[header].parse(Number(value));
  }
};

const seen = new Map<string, Set<string>>();

/** Call it before the first test of a file, because another file may have run in this process. */
export const forgetAnswers = (): void => seen.clear();

const saw = (name: string, answer: number | string): void => {
  seen.set(name, (seen.get(name) ?? new Set()).add(String(answer)));
};
