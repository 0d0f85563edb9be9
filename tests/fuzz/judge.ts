import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Route } from '@hearth/contract/defineRoute.ts';
import { ErrorBody, errorCodes, type ErrorCode } from '@hearth/contract/errors.ts';
import { routes } from '@hearth/contract/routes.ts';
import type { HttpAnswer } from './httpBytes.ts';

const all: readonly Route[] = Object.values(routes);

/** The errors that any request may get, whatever its route: invalid HTTP, an unknown address, the wrong method. */
const everywhere: readonly ErrorCode[] = ['MALFORMED_REQUEST', 'PAYLOAD_TOO_LARGE', 'NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/**
 * The route that a request leads to, if any; a HEAD that has no route of its own leads where its GET does. A POST to uploads may stand for
 * another method, as the protocol of uploads has it: https://tus.io/protocols/resumable-upload#x-http-method-override
 */
export const findRoute = (bytes: Buffer): Route | undefined => {
  const [line = '', ...headers] = bytes.toString('latin1').trimStart().split('\r\n\r\n', 1)[0]!.split('\n');
  const [, written = '', path = ''] = /^(\S+) (?:http:\/\/[^/ ]*)?([^? ]*)/.exec(line) ?? [];
  const overrides = headers.flatMap(
    (header) => /^X-HTTP-Method-Override:[ \t]*(.*?)[ \t\r]*$/i.exec(header)?.[1] ?? [],
  );
  const isOverridden = written === 'POST' && /^\/v1\/uploads(?:\/|$)/i.test(path) && overrides.length === 1;
  const verb = isOverridden && ['PATCH', 'DELETE'].includes(overrides[0]!) ? overrides[0]! : written;
  const atPath = all.filter((route) => pathPattern(route).test(path));
  const find = (method: string): Route | undefined => atPath.find((route) => route.method === method);
  return find(verb.toLowerCase()) ?? (verb === 'HEAD' ? find('get') : undefined);
};

/** Whether bytes ask for an address outside the API in the way of a browser, which the web app's page answers. */
export const isForPage = (bytes: Buffer): boolean => {
  const head = bytes.toString('latin1').trimStart().split('\r\n\r\n', 1)[0]!;
  return /^(?:GET|HEAD) (?:http:\/\/[^/ ]*)?(?!\/+v1[/? ])/i.test(head) && /^Accept:[ \t]*text\/html/im.test(head);
};

/** What is wrong with an answer by the contract; undefined where all is well. */
export const findFault = (route: Route | undefined, answer: HttpAnswer, isHead: boolean): string | undefined => {
  const { status, headers, body } = answer;
  if (status < 200) return status === 100 ? undefined : `status ${status}`;
  if (!headers.get('x-request-id')) return 'no X-Request-Id';
  if (status >= 400) return findErrorFault(route, answer, isHead);
  const candidates = route === undefined ? all : [route];
  const listed = candidates.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([code, response]) => (Number(code) === status ? [response] : [])),
  );
  if (listed.length === 0) return `status ${status} is not listed`;
  const fits = listed.some(({ schema, binary }) => {
    if (schema === undefined) return binary === undefined ? body.length === 0 : isOfType(headers, binary);
    return isHead || isExactly(schema, body);
  });
  return fits ? undefined : `the body is not as documented`;
};

/** Whether an answer is the web app's page. */
export const isPage = ({ status, headers }: HttpAnswer): boolean =>
  status === 200 && isOfType(headers, ['text/html']) && Boolean(headers.get('x-request-id'));

const findErrorFault = (route: Route | undefined, { status, headers, body }: HttpAnswer, isHead: boolean) => {
  if (isHead) return status >= 500 ? `status ${status}` : undefined;
  if (!isExactly(ErrorBody, body)) return 'an error of another shape';
  const { code, requestId, errors = [] } = JSON.parse(body.toString()) as ErrorBody;
  if (errorCodes[code].status !== status) return `${code} with status ${status}`;
  if (status === 400 && errors.length === 0) return 'a bad request without a word of what is wrong with it';
  if (status >= 500) return `${code}: nothing is away and nothing may fail`;
  if (![...everywhere, ...(route?.errors ?? [])].includes(code)) return `${code} is not listed`;
  if (requestId !== headers.get('x-request-id')) return 'two request ids';
  if (status === 401 && !headers.has('www-authenticate')) return 'no WWW-Authenticate';
  if (status === 429 && !headers.has('retry-after')) return 'no Retry-After';
  if (status === 405 && !headers.has('allow')) return 'no Allow';
  return undefined;
};

/** Whether the bytes are JSON of the schema with no field more. */
const isExactly = (schema: z.ZodType, body: Buffer): boolean => {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isDeepStrictEqual(schema.parse(value), value);
  } catch {
    return false;
  }
};

const isOfType = (headers: HttpAnswer['headers'], types: readonly string[]): boolean =>
  types.some((type) => headers.get('content-type')?.startsWith(type.replace('*', '')));

const pathPattern = ({ path }: Route): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i');
