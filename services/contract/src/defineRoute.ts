import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { RouteExample } from './examples.ts';
import type { ResponseHeader } from './headers.ts';
import type { FeatureName } from './vocabulary.ts';

/** The groups of routes, in the order of the reference. */
export const tags = {
  library: 'Photos and videos: upload, list, change, remove.',
  uploads: 'Uploads that go on after they were cut off: the tus protocol, version 1.0 (https://tus.io).',
  albums: 'What a user has put together.',
  explore: 'Photos and videos by where they were taken, and what and who is on them.',
  duplicates: 'Photos that show the same, to be reviewed.',
  sharing: 'Shared albums, for whoever has their link.',
  trash: 'What was deleted and can still be restored.',
  processing: 'What is being made of photos and videos, and what went wrong.',
  jobs: 'Doing again what was made of every item.',
  files: 'The bytes of photos and videos, by signed links.',
  auth: 'Signing in and out.',
  users: 'Accounts, for the administrator.',
  system: 'About this server.',
} as const satisfies Record<string, string>;

/**
 * Who may call: anybody (`none`); a user with an access token (`bearer`), or also by the cookie of a browser’s session (`session`); the
 * administrator (`basic`); whoever holds a signed, expiring address (`link`). Whatever is wrong with such an address, its parameters
 * included, is 404.
 */
export type RouteAuth = 'none' | 'bearer' | 'session' | 'basic' | 'link';

/** What a success looks like: JSON of a schema, bytes of some content types, a stream of events, or, with none of these, no body. */
export interface RouteAnswer {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly binary?: readonly string[];
  /** Server-sent events by name, with the schema of what `data` holds as JSON. */
  readonly eventStream?: Readonly<Record<string, z.ZodType>>;
  /** Which headers it may carry besides `X-Request-Id`, which every answer has. */
  readonly headers?: readonly ResponseHeader[];
}

/** A `multipart/form-data` body: text parts by `multipart`, then one binary part, streamed, that is called `file`. */
export interface MultipartBody {
  readonly multipart: z.ZodObject;
  readonly file: string;
}

/** Bytes of one content type, streamed; they may be left out where that is said. */
export interface BinaryBody {
  readonly binary: string;
  readonly isOptional?: boolean;
}

/** The statuses of success; 304 is the answer to a client that has the bytes already. */
export type SuccessStatus = 200 | 201 | 204 | 206 | 304;

/** One method of one address: everything that client, server and reference need to agree on. */
export interface Route {
  /** Its key in `routes`. */
  readonly operationId: string;
  /** A `get` also answers `HEAD`, without the body. */
  readonly method: 'get' | 'head' | 'options' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces: `/v1/mediaItems/{id}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly tag: keyof typeof tags;
  readonly auth: RouteAuth;
  /** 404 for users for whom this is switched off. */
  readonly feature?: FeatureName;
  /** Its JSON is compressed, and revalidated by `ETag`; for many kilobytes that a user asks for with a token. */
  readonly isLarge?: boolean;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers that the handler reads from the request; whatever is wrong with them is the handler's to judge. */
  readonly requestHeaders?: z.ZodObject;
  readonly body?: z.ZodType | MultipartBody | BinaryBody;
  /** The request that the reference shows, tests send and the read plans look at; may be left out where nothing but the id of an item is needed. */
  readonly example?: RouteExample;
  readonly responses: Readonly<Partial<Record<SuccessStatus, RouteAnswer>>>;
  /** Exactly the errors it can answer. */
  readonly errors: readonly ErrorCode[];
}

/** Answers the route as it is, and keeps its literal types for those below. */
export const defineRoute = <const R extends Route>(route: R): R => route;

/** The parameters of the path, parsed; `undefined` where it has none. */
export type RouteParams<R extends Route> = R extends { readonly params: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** The query, parsed, with defaults filled in; `undefined` where the route takes none. */
export type RouteQuery<R extends Route> = R extends { readonly query: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** Whether a body is JSON, and described by a schema. */
export const isJsonBody = (body: Route['body']): body is z.ZodType =>
  body !== undefined && !('multipart' in body) && !('binary' in body);

/** The JSON body or the text parts of a multipart body, parsed; `undefined` where the route takes none. */
export type RouteBody<R extends Route> = R extends { readonly body: infer S extends z.ZodType }
  ? z.output<S>
  : R extends { readonly body: { readonly multipart: infer S extends z.ZodType } }
    ? z.output<S>
    : undefined;

/** One of the route's successes, told apart by `status`; `Binary` is what stands for bytes, `Events` for a stream of events. */
export type RouteResult<R extends Route, Binary = never, Events = never> = {
  [Status in keyof R['responses'] & SuccessStatus]: ResultOf<Status, R['responses'][Status], Binary, Events>;
}[keyof R['responses'] & SuccessStatus];

type ResultOf<Status, Answer, Binary, Events> = {
  readonly status: Status;
  readonly headers?: { readonly [Name in HeaderOf<Answer>]?: string | number | undefined };
} & (Answer extends { readonly schema: infer S extends z.ZodType }
  ? { readonly body: z.output<S> }
  : Answer extends { readonly binary: readonly string[] }
    ? { readonly body: Binary }
    : Answer extends { readonly eventStream: object }
      ? { readonly body: Events }
      : { readonly body?: never });

type HeaderOf<Answer> = Answer extends { readonly headers: readonly (infer Name extends ResponseHeader)[] }
  ? Name
  : never;
