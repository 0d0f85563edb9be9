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

/** What is switched on, every feature named. */
export const Features = z
  .object(featureFlags)
  .meta({ id: 'Features', description: 'What is switched on. The addresses of what is off answer 404.' });
export type Features = z.infer<typeof Features>;

/** Some features to switch on or off; an object, or the same as a JSON text. */
export const FeaturesUpdate = z.preprocess(parseText, z.strictObject(featureFlags).partial()).meta({
  description: 'Features to switch on or off; what is left out stays as it is. Also accepted as a JSON text.',
});
export type FeaturesUpdate = z.infer<typeof FeaturesUpdate>;

export const getFeatures = defineRoute({
  operationId: 'getFeatures',
  method: 'get',
  path: '/v1/features',
  summary: 'Get what is switched on for the user',
  tag: 'auth',
  auth: 'bearer',
  responses: { 200: { description: 'What this user has, after the server’s own switches.', schema: Features } },
  errors: ['UNAUTHORIZED', ...serverErrors],
});

function parseText(value: string | { readonly [Name in FeatureName]?: boolean | undefined }): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // no JSON: the schema behind refuses it as a text
  }
}
