import type { Readable } from 'node:stream';
import express, { type Application, type Request, type Response } from 'express';
import type { z } from 'zod';
import {
  isJsonBody,
  type BinaryBody,
  type Route,
  type RouteBody,
  type RouteParams,
  type RouteQuery,
  type RouteResult,
} from '@hearth/contract/defineRoute.ts';
import { maxJsonBodyBytes } from '@hearth/contract/limits.ts';
import type { FeatureName } from '@hearth/contract/vocabulary.ts';
import type { SessionUser } from '../accounts/sessions.ts';
import { AppError, NotFoundError, type FieldError } from '@hearth/core/log/errors.ts';
import type { Deps } from '../deps/deps.ts';
import { isEventStream, type EventStream } from '../events/eventStream.ts';
import { auditSuccess } from './access/audit.ts';
import { authenticate } from './access/authenticate.ts';
import { encodeJson } from './responses/encodeJson.ts';
import { hasBody } from './requests/requestBody.ts';
import { getRequestId } from './requests/requestLog.ts';
import { sendEvents } from './responses/sendEvents.ts';
import { sendLargeJson } from './responses/sendLargeJson.ts';
import { sendStream } from './responses/sendStream.ts';
import { requireUtf8Json } from './requests/strictText.ts';
import type { routes } from '@hearth/contract/routes.ts';

/** Bytes of a response. Opened only when sent, so not for HEAD. */
export interface Bytes {
  readonly type: string;
  readonly length: number;
  readonly open: () => Promise<Readable>;
}

/** A call of a route: parsed input, user and the raw request. */
export interface Call<R extends Route> {
  readonly params: RouteParams<R>;
  readonly query: RouteQuery<R>;
  /** Parsed JSON. Undefined for a multipart or binary body, which the handler reads from `req`. */
  readonly body: R['body'] extends { readonly multipart: unknown } ? undefined : RouteBody<R>;
  readonly user: R['auth'] extends 'bearer' | 'session' ? SessionUser : undefined;
  readonly requestId: string;
  readonly req: Request;
}

/** Implementation of a route: runs one action or query, then presents the result. */
export type Handler<R extends Route> = (deps: Deps, call: Call<R>) => Promise<RouteResult<R, Bytes, EventStream>>;

/** One handler per route of the contract, by `operationId`. A missing one does not compile. */
export type Handlers = { readonly [Name in keyof typeof routes]: Handler<(typeof routes)[Name]> };

/**
 * Returns the features that a route needs. Without `explore`, items still show places, things and people, but these
 * cannot be browsed.
 */
const listNeededFeatures = ({ feature, path }: Route): readonly FeatureName[] => [
  ...(feature === undefined ? [] : [feature]),
  ...(path.startsWith('/v1/explore/') ? ['explore' as const] : []),
];

/**
 * Binds a route of the contract to its handler, with authentication, feature checks, input parsing and response
 * encoding by the contract.
 */
export const handle = <R extends Route>(app: Application, deps: Deps, route: R, handler: Handler<R>): void => {
  app[route.method](toExpressPath(route.path), async (req: Request, res: Response) => {
    const user = await authenticate(deps, route.auth, req, res);
    if (listNeededFeatures(route).some((feature) => user?.features[feature] === false))
      throw new NotFoundError('route');
    if (isJsonBody(route.body)) await readJson(req, res);
    const input = parseInput(route, req);
    if (route.body !== undefined && 'binary' in route.body) requireType(req, route.body);
    const call = {
      ...input,
      user,
      requestId: getRequestId(req),
      req,
    } as unknown as Call<R>;
    const result: HandlerResult = await handler(deps, call);
    if (isChange(route)) expireLinkStates(deps, user, req);
    await auditSuccess(deps, route, req, { ...call, responseBody: result.body });
    const headers = withPublicAddress(result.headers ?? {}, deps.config.publicUrl);
    await send(req, res, { ...result, headers, isLarge: route.isLarge });
  });
};

const isChange = ({ method }: Route): boolean => method !== 'get' && method !== 'head';

/**
 * Applies a change to file links on this replica at once. Other replicas follow within two seconds,
 * see [Note: Link states].
 */
const expireLinkStates = ({ linkStates }: Deps, user: SessionUser | undefined, { params }: Request): void => {
  // Administrator routes name the account in `id`.
  const userId = user?.userId ?? params['id'];
  if (typeof userId === 'string') linkStates.expire(userId);
};

/** Converts `/v1/mediaItems/{id}` to Express's syntax. */
export const toExpressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

type Headers = Readonly<Record<string, string | number | undefined>>;

interface HandlerResult {
  readonly status: number;
  readonly headers?: Headers;
  readonly body?: unknown;
  readonly isLarge?: boolean | undefined;
}

/** Time limit for a JSON body of at most 128 KiB, in ms: enough for a modem. Slower clients only occupy connections. */
const jsonBodyMs = 30_000;

const createSlowBodyError = (): AppError => {
  const message = `did not arrive within ${jsonBodyMs / 1_000} seconds`;
  return new AppError('MALFORMED_REQUEST', `the body ${message}`, { errors: [{ path: 'body', message }] });
};

const jsonParser = express.json({ limit: maxJsonBodyBytes, verify: requireUtf8Json });

const readJson = async (req: Request, res: Response): Promise<void> => {
  if (req.headers['content-length'] !== '0' && req.is('application/json') === false) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
  }
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(createSlowBodyError()), jsonBodyMs);
    jsonParser(req, res, (error?: unknown) => {
      clearTimeout(timer);
      if (error === undefined) resolve();
      else reject(error);
    });
  });
};

const requireType = (req: Request, { binary, isOptional }: BinaryBody): void => {
  if (isOptional === true && !hasBody(req)) return;
  const [type = ''] = (req.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== binary) throw new AppError('UNSUPPORTED_MEDIA_TYPE', `the body must be ${binary}`);
};

const parseInput = (route: Route, req: Request): Record<'params' | 'query' | 'body', unknown> => {
  const errors: FieldError[] = [];
  const parse = (part: 'params' | 'query' | 'body', schema: z.ZodType | undefined, value: unknown): unknown => {
    if (schema === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) errors.push({ path: [part, ...path].join('.'), message });
    return undefined;
  };
  const input = {
    params: parse('params', route.params, req.params),
    query: parse('query', route.query, { ...req.query }),
    body: isJsonBody(route.body) ? parse('body', route.body, req.body ?? {}) : undefined,
  };
  // Hearth never issues a signed link with invalid parameters, so the file does not exist.
  if (errors.length > 0 && route.auth === 'link') throw new AppError('NOT_FOUND');
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', undefined, { errors });
  return input;
};

/**
 * Prefixes paths in `Location` and `Link` with the public URL, as in links to files. Absolute URLs stay unchanged.
 */
const withPublicAddress = (headers: Headers, publicUrl: string | undefined): Headers =>
  publicUrl === undefined
    ? headers
    : {
        ...headers,
        ...(headers['Location'] !== undefined && {
          Location: String(headers['Location']).replace(/^\//, `${publicUrl}/`),
        }),
        ...(headers['Link'] !== undefined && { Link: String(headers['Link']).replaceAll('</', `<${publicUrl}/`) }),
      };

const send = async (
  req: Request,
  res: Response,
  { status, headers = {}, body, isLarge }: HandlerResult,
): Promise<void> => {
  res.status(status);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.set(name, String(value));
  if (body === undefined) {
    res.end();
  } else if (isBytes(body)) {
    res.set({ 'Content-Type': body.type, 'Content-Length': String(body.length) });
    if (req.method === 'HEAD' || body.length === 0) res.end();
    else await sendStream(await body.open(), res);
  } else if (isEventStream(body)) {
    await sendEvents(req, res, body);
  } else if (isLarge === true) {
    await sendLargeJson(req, res, body);
  } else {
    res.end(encodeJson(res, body));
  }
};

const isBytes = (body: unknown): body is Bytes =>
  typeof body === 'object' && body !== null && 'open' in body && typeof body.open === 'function';
