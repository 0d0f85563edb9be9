import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { serverErrors } from './errors.ts';
import type { FeatureName } from './vocabulary.ts';

const featureFlags = {
  favourites: z.boolean(),
  hidden: z.boolean(),
  trash: z.boolean(),
  albums: z.boolean(),
  explore: z.boolean(),
  places: z.boolean(),
  things: z.boolean(),
  people: z.boolean(),
  sharing: z.boolean(),
  jobs: z.boolean(),
} satisfies Record<FeatureName, z.ZodBoolean>;

export const Features = z
  .object(featureFlags)
  .meta({ id: 'Features', description: 'The enabled features. The routes of disabled features are 404.' });
export type Features = z.infer<typeof Features>;

export const FeaturesUpdate = z.preprocess(parseText, z.strictObject(featureFlags).partial()).meta({
  description: 'Features to enable or disable. Omitted ones stay unchanged. Also accepted as a JSON text.',
});
export type FeaturesUpdate = z.infer<typeof FeaturesUpdate>;

export const getFeatures = defineRoute({
  operationId: 'getFeatures',
  method: 'get',
  path: '/v1/features',
  summary: 'Get the enabled features of the user',
  tag: 'auth',
  auth: 'bearer',
  responses: { 200: { description: 'The features that both the user and the server have enabled.', schema: Features } },
  errors: ['UNAUTHORIZED', ...serverErrors],
});

function parseText(value: string | { readonly [Name in FeatureName]?: boolean | undefined }): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // Invalid JSON: the schema rejects the text.
  }
}
