import type { Database } from '@hearth/core/db/database.ts';
import type { DiskSpace } from '@hearth/core/disk/diskSpace.ts';
import type { Log } from '@hearth/core/log/log.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Queues } from '@hearth/core/queue/queue.ts';
import type { QueryEmbedding } from '@hearth/core/config/searchModels.ts';
import type { ServerCandidates } from '../semantic/openCandidates.ts';
import type { AttemptLimiter } from '../accounts/attemptLimiter.ts';
import type { ApiConfig } from '../config/config.ts';
import type { Links } from '../links/links.ts';
import type { LinkStates } from '../links/linkStates.ts';
import type { LiveUpdates } from '../events/liveUpdates.ts';
import type { OneTimeCode } from '../accounts/oneTimeCode.ts';
import type { SearchLimiter } from '../semantic/searchLimiter.ts';
import type { QueryEmbedder } from '../semantic/queryEmbedder.ts';
import type { SharedLinks } from '../links/sharedLinks.ts';
import type { ThumbnailLinks } from '../links/thumbnailLinks.ts';
import type { Tokens } from '../accounts/tokens.ts';

/** Dependencies of the API, created once per process by `openDeps`. */
export interface Deps {
  readonly config: ApiConfig;
  readonly log: Log;
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly queues: Queues;
  readonly links: Links;
  readonly sharedLinks: SharedLinks;
  readonly thumbnailLinks: ThumbnailLinks;
  readonly tokens: Tokens;
  readonly liveUpdates: LiveUpdates;
  readonly attempts: AttemptLimiter;
  readonly oneTimeCode: OneTimeCode;
  readonly disk: DiskSpace;
  readonly searches: SearchLimiter;
  /**
   * Embeds a query with the model of the user's library. Undefined if the model does not respond in time: the search
   * then uses words only.
   */
  readonly embedQuery: (db: Database, userId: string, query: string) => Promise<QueryEmbedding | undefined>;
  /** Selects nearest-neighbour candidates for a vector. */
  readonly candidates: ServerCandidates;
  /** The process that embeds queries. */
  readonly queryEmbedder: QueryEmbedder;
  readonly linkStates: LinkStates;
  /**
   * Progress of start and shutdown. The API is ready from `isMigrated` until `isStopping`. Writes to the object store
   * fail until `isStoreChecked`.
   */
  readonly state: { isMigrated: boolean; isStoreChecked: boolean; isStopping: boolean };
}
