import { z } from 'zod';
import { defineRoute } from './defineRoute.ts';
import { bodyErrors, inputErrors, serverErrors } from './errors.ts';
import { Features, FeaturesUpdate } from './features.ts';
import { maxNameLength, maxPasswordLength, maxUsernameLength, minPasswordLength } from './limits.ts';
import { ListQuery } from './query.ts';
import { changes } from './requests.ts';
import { Id, line, password, Timestamp } from './scalars.ts';

/** An account. No response contains its password. */
export const User = z
  .object({
    id: Id,
    name: z.string().meta({ example: 'Ada Lovelace' }),
    username: z.string().meta({ example: 'ada' }),
    features: Features,
    usedBytes: z.int().min(0).meta({
      description:
        'Bytes of all originals, including hidden items and the trash; previews and thumbnails do not count.',
    }),
    quotaBytes: z.int().min(0).optional().meta({
      description: 'Maximum bytes of originals; omitted without a quota.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'User', description: 'An account.' });
export type User = z.infer<typeof User>;

export const Username = line(maxUsernameLength).meta({ example: 'ada' });

const userFields = {
  name: line(maxNameLength),
  username: Username.meta({
    description: 'Unique, case-insensitive.',
    example: 'ada',
    minLength: 1,
    maxLength: maxUsernameLength,
  }),
  password: password(minPasswordLength, maxPasswordLength),
};

const quotaBytes = z.int().min(0).nullable().meta({
  description:
    'Maximum bytes of originals, including unfinished resumable uploads. Uploads beyond it are 507. `null`: no quota.',
});

export const UserCreate = z
  .strictObject({ ...userFields, features: FeaturesUpdate.optional(), quotaBytes: quotaBytes.optional() })
  .meta({ id: 'UserCreate', description: 'A new account. It has all features that are not disabled here.' });
export type UserCreate = z.infer<typeof UserCreate>;

export const UserUpdate = changes({ ...userFields, features: FeaturesUpdate, quotaBytes }).meta({
  id: 'UserUpdate',
  description: 'At least one field. Omitted fields stay unchanged. A new password ends all sessions.',
});
export type UserUpdate = z.infer<typeof UserUpdate>;

const UserParams = z.object({ id: Id });

/** Errors of all routes for the administrator. */
const basicErrors = ['UNAUTHORIZED', 'TOO_MANY_ATTEMPTS', ...serverErrors] as const;

export const listUsers = defineRoute({
  operationId: 'listUsers',
  method: 'get',
  path: '/v1/users',
  summary: 'List users',
  description: 'Sorted by name.',
  tag: 'users',
  auth: 'basic',
  query: ListQuery,
  responses: { 200: { description: 'One page.', schema: z.array(User), headers: ['Link'] } },
  errors: ['VALIDATION_FAILED', ...basicErrors],
});

export const createUser = defineRoute({
  operationId: 'createUser',
  method: 'post',
  path: '/v1/users',
  summary: 'Create a user',
  tag: 'users',
  auth: 'basic',
  body: UserCreate,
  example: { body: { name: 'Ada', username: 'ada', password: 'four words are enough' } },
  responses: { 201: { description: 'Created.', schema: User, headers: ['Location'] } },
  errors: [...bodyErrors, ...basicErrors],
});

export const getUser = defineRoute({
  operationId: 'getUser',
  method: 'get',
  path: '/v1/users/{id}',
  summary: 'Get a user',
  tag: 'users',
  auth: 'basic',
  params: UserParams,
  example: { params: { id: '$USER' } },
  responses: { 200: { description: 'The user.', schema: User } },
  errors: [...inputErrors, 'NOT_FOUND', ...basicErrors],
});

export const updateUser = defineRoute({
  operationId: 'updateUser',
  method: 'put',
  path: '/v1/users/{id}',
  summary: 'Update a user',
  tag: 'users',
  auth: 'basic',
  params: UserParams,
  body: UserUpdate,
  example: { params: { id: '$USER' }, body: { quotaBytes: 100_000_000_000 } },
  responses: { 204: { description: 'Updated.' } },
  errors: [...bodyErrors, 'NOT_FOUND', ...basicErrors],
});

export const deleteUser = defineRoute({
  operationId: 'deleteUser',
  method: 'delete',
  path: '/v1/users/{id}',
  summary: 'Delete a user',
  description: 'Permanently, with all of their data.',
  tag: 'users',
  auth: 'basic',
  params: UserParams,
  example: { params: { id: '$USER' } },
  responses: { 204: { description: 'The account is closed; its photos and videos are being deleted.' } },
  errors: [...inputErrors, 'NOT_FOUND', ...basicErrors],
});
