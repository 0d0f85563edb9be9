import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { extensible } from './scalars.ts';

/** The version of the API that this contract describes. */
export const apiVersion = '25.09.30';

/** Which server answers. */
export const Version = z
  .object({
    version: z.string().meta({ description: 'The version of the API.', example: apiVersion }),
    gitSha: z.string().optional().meta({ description: 'The commit that the server was made from, where known.' }),
  })
  .meta({ id: 'Version', description: 'Which server answers.' });
export type Version = z.infer<typeof Version>;

const bytes = z.int().min(0);

/** How full the store behind the library is. */
export const Disk = z
  .object({
    total: bytes.optional().meta({ description: 'Bytes that the store can hold; left out where nobody knows.' }),
    free: bytes.optional().meta({ description: 'Bytes that still fit; left out where nobody knows.' }),
    used: bytes.meta({ description: 'Bytes in use.' }),
  })
  .meta({ id: 'Disk', description: 'How full the store behind the library is, in bytes.' });
export type Disk = z.infer<typeof Disk>;

/** The answer of a server that is well. */
export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health', description: 'The server is well.' });
export type Health = z.infer<typeof Health>;

/** The answer of a server that can serve requests, though perhaps not all of them. */
export const Readiness = z
  .object({
    status: z.literal('ok'),
    degraded: z
      .array(z.enum(['disk']).meta(extensible))
      .optional()
      .meta({
        description:
          'What is not as it should be, left out where everything is. `disk`: it is nearly full, and uploads are answered 507.',
      }),
  })
  .meta({ id: 'Readiness', description: 'The server can serve requests.' });
export type Readiness = z.infer<typeof Readiness>;

export const getVersion = defineRoute({
  operationId: 'getVersion',
  method: 'get',
  path: '/version',
  summary: 'Get the version',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'The version.', schema: Version } },
  errors: ['INTERNAL'],
});

export const getDisk = defineRoute({
  operationId: 'getDisk',
  method: 'get',
  path: '/disk',
  summary: 'Get how full the store is',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'Sizes in bytes.', schema: Disk } },
  errors: serverErrors,
});

export const getLiveness = defineRoute({
  operationId: 'getLiveness',
  method: 'get',
  path: '/livez',
  summary: 'Ask whether the process lives',
  description: 'Asks nothing else: a process whose database is away lives.',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'It lives.', schema: Health } },
  errors: ['INTERNAL'],
});

export const getReadiness = defineRoute({
  operationId: 'getReadiness',
  method: 'get',
  path: '/readyz',
  summary: 'Ask whether requests can be served',
  description:
    '503 while the server starts or stops, and while its database is away. With the object store or the queue away it is ready: ' +
    'what does not need them works. With a disk that is nearly full it is ready too, since deleting has to work; `degraded` then says so.',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'They can.', schema: Readiness } },
  errors: serverErrors,
});

export const getOpenApiDocument = defineRoute({
  operationId: 'getOpenApiDocument',
  method: 'get',
  path: '/openapi.json',
  summary: 'Get this description of the API',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'An OpenAPI 3.1 document.', schema: z.record(z.string(), z.unknown()) } },
  errors: ['INTERNAL'],
});

/** Settings of the server that the web app needs before sign-in. */
export const WebConfig = z
  .object({
    version: z.string().meta({ description: 'The version of the API.', example: apiVersion }),
    gitSha: z.string().optional().meta({ description: 'The commit that the server was made from, where known.' }),
    mapTilesUrl: z.string().optional().meta({
      description:
        'Where maps get their tiles, or their MapLibre style; left out where they show the outlines that come with the app.',
    }),
    maxUploadBytes: z.int().min(1).meta({ description: 'Bytes that a file may have at most.' }),
  })
  .meta({ id: 'WebConfig', description: 'What the web app has to know of its server.' });
export type WebConfig = z.infer<typeof WebConfig>;

export const getWebConfig = defineRoute({
  operationId: 'getWebConfig',
  method: 'get',
  path: '/v1/web/config',
  summary: 'Get what the web app has to know of its server',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'The same for everybody.', schema: WebConfig } },
  errors: serverErrors,
});
