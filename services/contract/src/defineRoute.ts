import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { RouteExample } from './examples.ts';
import type { ResponseHeader } from './headers.ts';
import type { FeatureName } from './vocabulary.ts';

/** Groups of routes, in the order of the reference. */
export const tags = {
  library: 'Photos and videos: upload, list, update, delete.',
  uploads: 'Resumable uploads: the tus protocol, version 1.0 (https://tus.io).',
  albums: 'Albums of a user.',
  explore: 'Photos and videos by place, thing and person.',
  duplicates: 'Similar photos to review.',
  sharing: 'Shared albums, for anyone with their link.',
  trash: 'Deleted items that can be restored.',
  processing: 'The processing of photos and videos, and its failures.',
  jobs: 'Reprocessing of all items.',
  files: 'The bytes of photos and videos, by signed links.',
  auth: 'Signing in and out.',
  users: 'Accounts, for the administrator.',
  system: 'About this server.',
} as const satisfies Record<string, string>;

/**
 * Access to a route: `none` for anyone; `bearer` for users with an access token; `session` also with the cookie of a
 * browser’s session; `basic` for the administrator; `link` for anyone with a signed link that has not expired. Any
 * error in such a link, even in its parameters, is 404.
 */
export type RouteAuth = 'none' | 'bearer' | 'session' | 'basic' | 'link';

/** A success: JSON, bytes, a stream of events, or no body. */
export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly binary?: readonly string[];
  /** Server-sent events by name, with the schema of the JSON in `data`. */
  readonly eventStream?: Readonly<Record<string, z.ZodType>>;
  /** Headers that the response may have in addition to `X-Request-Id`, which every response has. */
  readonly headers?: readonly ResponseHeader[];
}

/**
 * A `multipart/form-data` body: text parts of the schema `multipart`, then one streamed binary part with the name in
 * `file`.
 */
export interface MultipartBody {
  readonly multipart: z.ZodObject;
  readonly file: string;
}

/** A streamed body of one content type. */
export interface BinaryBody {
  readonly binary: string;
  readonly isOptional?: boolean;
}

/** Statuses of success, including 304 for a client with current bytes. */
export type SuccessStatus = 200 | 201 | 204 | 206 | 304;

/** A method of a path: everything that client, server and reference must agree on. */
export interface Route {
  /** The key in `routes`. */
  readonly operationId: string;
  /** A `get` route also handles `HEAD`. */
  readonly method: 'get' | 'head' | 'options' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces: `/v1/mediaItems/{id}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly tag: keyof typeof tags;
  readonly auth: RouteAuth;
  /** The route is 404 for users without this feature. */
  readonly feature?: FeatureName;
  /** Compresses the JSON and supports `ETag`. For responses of many kilobytes to requests with a token. */
  readonly isLarge?: boolean;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers that the handler reads and validates itself. */
  readonly requestHeaders?: z.ZodObject;
  readonly body?: z.ZodType | MultipartBody | BinaryBody;
  /**
   * The request in the reference, in tests and in checks of query plans. Optional if it needs only the id of an item.
   */
  readonly example?: RouteExample;
  readonly responses: Readonly<Partial<Record<SuccessStatus, RouteResponse>>>;
  /** All errors of the route, and no others. */
  readonly errors: readonly ErrorCode[];
}

/** Returns the route unchanged and keeps its literal types. */
export const defineRoute = <const R extends Route>(route: R): R => route;

/** The parsed parameters of the path. */
export type RouteParams<R extends Route> = R extends { readonly params: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** The parsed query, with defaults. */
export type RouteQuery<R extends Route> = R extends { readonly query: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

export const isJsonBody = (body: Route['body']): body is z.ZodType =>
  body !== undefined && !('multipart' in body) && !('binary' in body);

/** The parsed JSON body, or the text parts of a multipart body. */
export type RouteBody<R extends Route> = R extends { readonly body: infer S extends z.ZodType }
  ? z.output<S>
  : R extends { readonly body: { readonly multipart: infer S extends z.ZodType } }
    ? z.output<S>
    : undefined;

/** A success of the route, by `status`. `Binary` is the type of bytes, `Events` of a stream of events. */
export type RouteResult<R extends Route, Binary = never, Events = never> = {
  [Status in keyof R['responses'] & SuccessStatus]: ResultOf<Status, R['responses'][Status], Binary, Events>;
}[keyof R['responses'] & SuccessStatus];

type ResultOf<Status, Success, Binary, Events> = {
  readonly status: Status;
  readonly headers?: { readonly [Name in HeaderOf<Success>]?: string | number | undefined };
} & (Success extends { readonly schema: infer S extends z.ZodType }
  ? { readonly body: z.output<S> }
  : Success extends { readonly binary: readonly string[] }
    ? { readonly body: Binary }
    : Success extends { readonly eventStream: object }
      ? { readonly body: Events }
      : { readonly body?: never });

type HeaderOf<Success> = Success extends { readonly headers: readonly (infer Name extends ResponseHeader)[] }
  ? Name
  : never;
