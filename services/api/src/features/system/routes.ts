import { createOpenApiDocument } from '@hearth/contract/openapi.ts';
import { apiVersion } from '@hearth/contract/system.ts';
import { pingDatabase } from '@hearth/core/db/database.ts';
import { UnavailableError } from '@hearth/core/log/errors.ts';
import type { Handlers } from '../../http/handle.ts';

const getVersion: Handlers['getVersion'] = async ({ config }) => ({
  status: 200,
  body: { version: apiVersion, ...(config.gitSha !== undefined && { gitSha: config.gitSha }) },
});

const getWebConfig: Handlers['getWebConfig'] = async ({
  config: { gitSha, mapTilesUrl, maxUploadBytes, trashDays },
}) => ({
  status: 200,
  // JSON omits undefined fields.
  body: { version: apiVersion, gitSha, mapTilesUrl, maxUploadBytes, trashDays },
});

const getDisk: Handlers['getDisk'] = async ({ objects }) => {
  const { totalBytes: total, freeBytes: free, usedBytes: used } = await objects.capacity();
  // JSON omits undefined fields.
  return { status: 200, body: { total, free, used } };
};

const getLiveness: Handlers['getLiveness'] = async () => ({ status: 200, body: { status: 'ok' } });

/** Subject of the error while a new version starts. */
export const beingMigrated = 'the database, which is being brought up to date,';

/**
 * A process is ready if its database is, because no route works without it. It stays ready without the store or the
 * queue: all replicas share them, so no other replica could do better. Otherwise routes that still work, such as
 * deleting from a full disk, would stop.
 */
const getReadiness: Handlers['getReadiness'] = async ({ db, disk, state }) => {
  if (state.isStopping) throw new UnavailableError('this process, which is stopping,', undefined);
  await pingDatabase(db);
  if (!state.isMigrated) throw new UnavailableError(beingMigrated, undefined);
  return { status: 200, body: { status: 'ok', ...(disk.isNearlyFull && { degraded: ['disk'] }) } };
};

const openApiDocument = { ...createOpenApiDocument({ version: apiVersion }) };

const getOpenApiDocument: Handlers['getOpenApiDocument'] = async () => ({ status: 200, body: openApiDocument });

export const systemHandlers = {
  getVersion,
  getWebConfig,
  getDisk,
  getLiveness,
  getReadiness,
  getOpenApiDocument,
} satisfies Partial<Handlers>;
