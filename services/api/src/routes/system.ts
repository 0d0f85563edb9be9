import { createOpenApiDocument } from '@hearth/contract/openapi.ts';
import { apiVersion } from '@hearth/contract/system.ts';
import { pingDatabase } from '@hearth/core/db/connection/database.ts';
import { UnavailableError } from '@hearth/core/errors.ts';
import type { Handlers } from '../http/handlers.ts';

const getVersion: Handlers['getVersion'] = async ({ config }) => ({
  status: 200,
  body: { version: apiVersion, ...(config.gitSha !== undefined && { gitSha: config.gitSha }) },
});

const getWebConfig: Handlers['getWebConfig'] = async ({ config: { gitSha, mapTilesUrl, maxUploadBytes } }) => ({
  status: 200,
  // JSON leaves out what is undefined.
  body: { version: apiVersion, gitSha, mapTilesUrl, maxUploadBytes },
});

const getDisk: Handlers['getDisk'] = async ({ objects }) => {
  const { totalBytes: total, freeBytes: free, usedBytes: used } = await objects.capacity();
  // JSON leaves out what is undefined.
  return { status: 200, body: { total, free, used } };
};

const getLiveness: Handlers['getLiveness'] = async () => ({ status: 200, body: { status: 'ok' } });

/** What is not there yet while a new version starts, for the sentence that says so. */
export const beingMigrated = 'the database, which is being brought up to date,';

/**
 * Of what can be away only the database counts, without which nothing can be answered. All replicas share the store and the queue:
 * with them away no other replica could do better, and being taken out of service would end also what works: with a full disk, deleting.
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
