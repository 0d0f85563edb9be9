import type { Database } from '@hearth/core/db/database.ts';
import type { DiskSpace } from '@hearth/core/disk/diskSpace.ts';
import type { Log } from '@hearth/core/log/log.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';
import type { Queues } from '@hearth/core/queue/queue.ts';
import type { MeaningVector } from '@hearth/core/config/searchModels.ts';
import type { ServerCandidates } from '../meaning/openCandidates.ts';
import type { AttemptLimiter } from '../accounts/attemptLimiter.ts';
import type { ApiConfig } from '../config/config.ts';
import type { Links } from '../links/links.ts';
import type { LinkStates } from '../links/linkStates.ts';
import type { LiveUpdates } from '../events/liveUpdates.ts';
import type { OneTimeCode } from '../accounts/oneTimeCode.ts';
import type { SearchLimiter } from '../meaning/searchLimiter.ts';
import type { QueryEmbedder } from '../meaning/queryEmbedder.ts';
import type { SharedLinks } from '../links/sharedLinks.ts';
import type { ThumbnailLinks } from '../links/thumbnailLinks.ts';
import type { Tokens } from '../accounts/tokens.ts';

/** All dependencies of the API's code; `openDeps` makes them once for each process. */
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
  /** What a query means to the model by which a user's library is searched; undefined where that is not known in time: then it is searched by words alone. */
  readonly embedQuery: (db: Database, userId: string, query: string) => Promise<MeaningVector | undefined>;
  /** Chooses what may be nearest to a vector. */
  readonly candidates: ServerCandidates;
  /** The process that embeds queries. */
  readonly queryEmbedder: QueryEmbedder;
  readonly linkStates: LinkStates;
  /** The process is ready from the migration of the database until it is asked to end. */
  readonly state: { isMigrated: boolean; isStoreChecked: boolean; isStopping: boolean };
}
