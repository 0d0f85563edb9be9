import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { isJsonBody, tags, type Route, type RouteResponse, type RouteAuth } from './defineRoute.ts';
import { ErrorBody, errorCodes, type ErrorCode } from './errors.ts';
import { responseHeaders, type ResponseHeader } from './headers.ts';
import { routes } from './routes.ts';
import { extensible } from './scalars.ts';

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Creates the OpenAPI 3.1 document of all routes. `serverUrl` is the public URL, if known. */
export const createOpenApiDocument = (options: {
  readonly version: string;
  readonly serverUrl?: string;
}): OpenApiDocument =>
  createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Hearth',
      summary: 'A smarter home for all your photos and videos',
      description:
        'All errors have the same body. Fields without a value are omitted, never `null`. Times are RFC 3339 in UTC. An unknown path is 404, and a ' +
        'wrong method 405 with `Allow`. A request may set its id in `X-Request-Id`. More fields, errors and, where marked `x-extensible`, words will ' +
        'be added: ignore unknown ones.',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      version: options.version,
    },
    ...(options.serverUrl === undefined ? {} : { servers: [{ url: options.serverUrl }] }),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: describePaths(Object.values(routes)),
    components: {
      responses: describeEveryError(Object.values(routes)),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a user.' },
        basic: { type: 'http', scheme: 'basic', description: 'The administrator.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'hearth_session',
          description: 'The refresh token of a browser’s session. Ignored without the header `X-Hearth-Session`.',
        },
      },
    },
  });

const securityByAuth: Readonly<Record<RouteAuth, Record<string, string[]>[]>> = {
  none: [],
  link: [],
  bearer: [{ bearer: [] }],
  session: [{ bearer: [] }, { cookie: [] }],
  basic: [{ basic: [] }],
};

/** Headers of errors by status, in addition to `X-Request-Id`. */
const errorHeaders: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  412: ['Tus-Version'],
  416: ['Content-Range'],
  423: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function describePaths(all: readonly Route[]): ZodOpenApiPathsObject {
  return Object.fromEntries(
    [...Map.groupBy(all, ({ path }) => path)].map(([path, atPath]) => [
      path,
      Object.fromEntries(atPath.map((route) => [route.method, describeOperation(route)])),
    ]),
  );
}

function describeOperation(route: Route): ZodOpenApiOperationObject {
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    tags: [route.tag],
    security: securityByAuth[route.auth],
    requestParams: {
      ...(route.params === undefined ? {} : { path: route.params }),
      ...(route.query === undefined ? {} : { query: route.query }),
      ...(route.requestHeaders === undefined ? {} : { header: route.requestHeaders }),
    },
    ...(route.body === undefined ? {} : { requestBody: describeBody(route.body) }),
    responses: { ...describeResponses(route), ...describeErrors(route.errors) },
  };
}

function describeBody(body: NonNullable<Route['body']>): ZodOpenApiRequestBodyObject {
  if (isJsonBody(body)) {
    // An optional body must accept an empty object.
    return { required: !body.safeParse({}).success, content: { 'application/json': { schema: body } } };
  }
  if ('binary' in body) return { required: body.isOptional !== true, content: { [body.binary]: {} } };
  const schema = body.multipart.extend({
    [body.file]: z.file().meta({
      description:
        'The file, as the last part. Its `filename` is cleaned as described for the `filename` of a media item.',
    }),
  });
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function describeResponses({ responses }: Route): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { description: response.description, headers: describeHeaders(response.headers), ...describeContent(response) },
    ]),
  );
}

function describeContent({ schema, binary, eventStream }: RouteResponse): Pick<ZodOpenApiResponseObject, 'content'> {
  if (schema !== undefined) return { content: { 'application/json': { schema } } };
  if (binary !== undefined) return { content: Object.fromEntries(binary.map((type) => [type, {}])) };
  if (eventStream !== undefined) return { content: { 'text/event-stream': { schema: describeEvents(eventStream) } } };
  return {};
}

/** OpenAPI 3.1 cannot describe a stream, so the schema describes each event in it. */
function describeEvents(events: NonNullable<RouteResponse['eventStream']>): z.ZodType {
  return z
    .union(Object.entries(events).map(([name, data]) => z.object({ event: z.literal(name), id: z.string(), data })))
    .meta(extensible);
}

/** Routes with the same error codes for a status share a response, which is named after these codes. */
function describeErrors(codes: readonly ErrorCode[]): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    groupByStatus(codes).map(([status, group]) => [status, { $ref: `#/components/responses/${nameErrors(group)}` }]),
  );
}

function describeEveryError(all: readonly Route[]): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    all
      .flatMap(({ errors }) => groupByStatus(errors))
      .map(([status, group]) => [nameErrors(group), describeError(status, group)]),
  );
}

function describeError(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].message}.`).join(' '),
    headers: describeHeaders(errorHeaders[status]),
    content: { 'application/json': { schema: ErrorBody } },
  };
}

function groupByStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  return [...Map.groupBy(codes.toSorted(), (code) => errorCodes[code].status)];
}

/** `NOT_FOUND` becomes `NotFound`; several are joined by `Or`. */
function nameErrors(codes: readonly ErrorCode[]): string {
  return codes
    .map((code) => code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or');
}

function describeHeaders(names: readonly ResponseHeader[] = []): z.ZodObject {
  const all: readonly ResponseHeader[] = ['X-Request-Id', ...names];
  return z.object(Object.fromEntries(all.map((name) => [name, responseHeaders[name]])));
}
