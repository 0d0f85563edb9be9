import { join } from 'node:path';
import { getS3Settings } from '@hearth/core/config/commonConfig.ts';
import { findLinkState } from '../links/linkState.ts';
import { findAnsweringModel } from '../semantic/answeringModel.ts';
import { openCandidates } from '../semantic/openCandidates.ts';
import { openDatabase } from '@hearth/core/db/database.ts';
import { openDiskSpace, type DiskPlace } from '@hearth/core/disk/diskSpace.ts';
import type { Log } from '@hearth/core/log/log.ts';
import { openObjects } from '@hearth/core/backEnds/openObjects.ts';
import { openQueues } from '@hearth/core/queue/openQueues.ts';
import { getInferenceSettings } from '@hearth/inference/inferenceSettings.ts';
import type { ApiConfig } from '../config/config.ts';
import { createLiveUpdates } from '../events/liveUpdates.ts';
import { createAttemptLimiter } from '../accounts/attemptLimiter.ts';
import { createSearchLimiter } from '../semantic/searchLimiter.ts';
import { createLinks } from '../links/links.ts';
import { createLinkStates } from '../links/linkStates.ts';
import { createSharedLinks } from '../links/sharedLinks.ts';
import { createThumbnailLinks } from '../links/thumbnailLinks.ts';
import { openQueryEmbedder } from '../semantic/queryEmbedder.ts';
import { createOneTimeCode } from '../accounts/oneTimeCode.ts';
import { createTokens } from '../accounts/tokens.ts';
import type { Deps } from './deps.ts';
import { markerKey } from '@hearth/core/objects/marker.ts';
import { StoreError } from '@hearth/core/objects/objectErrors.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';

/** Database connections per API process, shared by requests and housekeeping. */
const maxConnections = 16;

/** Folders that an API process writes to. None with an S3 store. */
export const objectPlaces = (config: Pick<ApiConfig, 's3Endpoint' | 'dataDirectory'>): DiskPlace[] =>
  config.s3Endpoint === undefined ? [{ name: 'objects', path: join(config.dataDirectory, 'objects') }] : [];

/** Opens the API's dependencies. Each connects on first use. */
export const openDeps = async (
  config: ApiConfig,
  log: Log,
  disk = openDiskSpace({ folders: objectPlaces(config), reserveBytes: config.diskReserveBytes, log }),
): Promise<Deps> => {
  const db = openDatabase({
    url: config.databaseUrl,
    isPooled: config.databaseDirectUrl !== undefined,
    maxConnections,
    onError: (error) => log.debug({ err: error }, 'idle database connection lost'),
  });
  const state = { isStopping: false, isMigrated: false, isStoreChecked: false };
  const store = await openObjects({ dataDirectory: config.dataDirectory, s3: getS3Settings(config) }, log);
  const objects = rejectWrites(store, () => state.isStoreChecked);
  const queryEmbedder = openQueryEmbedder({ settings: getInferenceSettings(config), log });
  const { linkSecret: secret, linkSecretPrevious: previous, publicUrl: baseUrl = '' } = config;
  return {
    config,
    log,
    db,
    objects,
    queues: await openQueues(config, log),
    links: createLinks({ secret, previous, baseUrl, objects }),
    sharedLinks: createSharedLinks({ secret, previous, baseUrl }),
    thumbnailLinks: createThumbnailLinks({ secret, previous, baseUrl }),
    tokens: createTokens({ secret: config.tokenSecret, previous: config.tokenSecretPrevious }),
    liveUpdates: createLiveUpdates({ db, log }),
    attempts: createAttemptLimiter(),
    oneTimeCode: createOneTimeCode(),
    disk,
    searches: createSearchLimiter(),
    queryEmbedder,
    embedQuery: async (trx, userId, query) => {
      const model = await findAnsweringModel(trx, userId);
      return model && queryEmbedder.embed(model, query);
    },
    candidates: openCandidates(),
    linkStates: createLinkStates((userId, cached) => findLinkState(db, userId, cached)),
    state,
  };
};

/** Wraps the store. Until `isChecked`, rejects writes except of the library's marker: it may be the wrong store. */
const rejectWrites = (store: ObjectStore, isChecked: () => boolean): ObjectStore => {
  const rejectUntilChecked = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    if (!isChecked()) throw new StoreError('the object store was not checked yet');
    return write();
  };
  return {
    ...store,
    put: async (key, body, options) => {
      if (key === markerKey || isChecked()) return store.put(key, body, options);
      body.destroy();
      throw new StoreError('the object store was not checked yet');
    },
    beginParts: (key) => rejectUntilChecked(() => store.beginParts(key)),
    putPart: (...part) => rejectUntilChecked(() => store.putPart(...part)),
    finishParts: (...write) => rejectUntilChecked(() => store.finishParts(...write)),
  };
};
