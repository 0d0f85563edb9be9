import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { apiVersion } from './system.ts';
import { serverErrors } from './errors.ts';

/** What the web app has to know of its server before anybody has signed in. */
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
