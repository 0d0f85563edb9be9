import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import { extensible } from './scalars.ts';

export const apiVersion = '25.09.30';

export const Version = z
  .object({
    version: z.string().meta({ description: 'The version of the API.', example: apiVersion }),
    gitSha: z.string().optional().meta({ description: 'The commit that the server was built from, if known.' }),
  })
  .meta({ id: 'Version', description: 'The version of the server.' });
export type Version = z.infer<typeof Version>;

const bytes = z.int().min(0);

export const Disk = z
  .object({
    total: bytes.optional().meta({ description: 'Capacity of the store in bytes; omitted if unknown.' }),
    free: bytes.optional().meta({ description: 'Free bytes; omitted if unknown.' }),
    used: bytes.meta({ description: 'Used bytes.' }),
  })
  .meta({ id: 'Disk', description: 'Used and free space of the library’s store, in bytes.' });
export type Disk = z.infer<typeof Disk>;

export const Health = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', description: 'The server is healthy.' });
export type Health = z.infer<typeof Health>;

export const Readiness = z
  .object({
    status: z.literal('ok'),
    degraded: z
      .array(z.enum(['disk']).meta(extensible))
      .optional()
      .meta({
        description: 'Problems, omitted without any. `disk`: the disk is nearly full, and uploads fail with 507.',
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
  summary: 'Get the used and free space of the store',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'Sizes in bytes.', schema: Disk } },
  errors: serverErrors,
});

export const getLiveness = defineRoute({
  operationId: 'getLiveness',
  method: 'get',
  path: '/livez',
  summary: 'Check that the process is alive',
  description: 'Checks nothing else: a process without its database is alive.',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'It is alive.', schema: Health } },
  errors: ['INTERNAL'],
});

export const getReadiness = defineRoute({
  operationId: 'getReadiness',
  method: 'get',
  path: '/readyz',
  summary: 'Check that requests can be served',
  description:
    '503 while the server starts or stops, and while its database is unavailable. Ready without the object store or the queue, because other ' +
    'requests still work. Ready with a nearly full disk, because deleting must work; `degraded` then reports it.',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'Requests can be served.', schema: Readiness } },
  errors: serverErrors,
});

export const getOpenApiDocument = defineRoute({
  operationId: 'getOpenApiDocument',
  method: 'get',
  path: '/openapi.json',
  summary: 'Get the OpenAPI document',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'An OpenAPI 3.1 document.', schema: z.record(z.string(), z.unknown()) } },
  errors: ['INTERNAL'],
});

/** Settings of the server that the web app needs before sign-in. */
export const WebConfig = z
  .object({
    version: z.string().meta({ description: 'The version of the API.', example: apiVersion }),
    gitSha: z.string().optional().meta({ description: 'The commit that the server was built from, if known.' }),
    mapTilesUrl: z.string().optional().meta({
      description: 'The URL of map tiles or of a MapLibre style; omitted if maps show the outlines of the app.',
    }),
    maxUploadBytes: z.int().min(1).meta({ description: 'Maximum size of a file in bytes.' }),
    trashDays: z.int().min(1).meta({ description: 'Days after which items in the trash are deleted.' }),
  })
  .meta({ id: 'WebConfig', description: 'The server’s settings for the web app.' });
export type WebConfig = z.infer<typeof WebConfig>;

export const getWebConfig = defineRoute({
  operationId: 'getWebConfig',
  method: 'get',
  path: '/v1/web/config',
  summary: 'Get the server’s settings for the web app',
  tag: 'system',
  auth: 'none',
  responses: { 200: { description: 'The same for all clients.', schema: WebConfig } },
  errors: serverErrors,
});
