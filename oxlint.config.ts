import { defineConfig, type OxlintOverride } from 'oxlint';
import { importBorders } from './scripts/lint/importBorders.ts';
import { importDoors, type Ban } from './scripts/lint/importDoors.ts';

/** Folders with their own set of forbidden imports, outer folders first. */
const folders = [
  ...new Set([
    'services',
    'operators',
    'load-tests',
    'tests',
    'scripts',
    'charts',
    'docs',
    ...importBorders.map(({ from }) => from),
    ...importDoors.flatMap(({ allowedIn }) => allowedIn),
  ]),
].toSorted((a, b) => a.split('/').length - b.split('/').length || a.localeCompare(b));

const isWithin = (folder: string, outer: string): boolean => folder === outer || folder.startsWith(`${outer}/`);

const restrictImports = (folder: string): OxlintOverride => {
  const bans: readonly Ban[] = [
    ...importDoors.filter(({ allowedIn }) => !allowedIn.some((allowed) => isWithin(folder, allowed))),
    ...importBorders.filter(({ from }) => isWithin(folder, from)),
  ];
  const patterns = bans.map(({ group, message }) => ({ group: [...group], message }));
  return {
    files: folder.endsWith('.ts') ? [folder] : [`${folder}/**/*.{ts,tsx,mts,mjs}`],
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
    // Objects here are closures: no function needs `this`.
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
    {
      files: ['services/{api,core,inference,worker}/src/**/*.ts'],
      rules: {
        'no-restricted-globals': [
          'error',
          {
            name: 'fetch',
            message: 'A malicious server can crash the process through fetch; use services/core/src/download',
          },
        ],
      },
    },
    // Tests may import from every package and use the dependencies of all packages.
    {
      files: ['services/**/*.test.{ts,tsx}', 'services/testkit/**', 'services/web/e2e/**'],
      rules: { 'no-restricted-globals': 'off', 'no-restricted-imports': 'off' },
    },
    {
      files: ['operators/*/src/**/*.test.ts', 'operators/*/src/testing/**'],
      rules: { 'no-restricted-imports': 'off', 'node/no-process-env': 'off' },
    },
    {
      files: ['services/core/src/config/configureProcess.ts', 'operators/queue-scaler/src/config.ts'],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      files: ['services/web/src/**/*.{ts,tsx}'],
      plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
      rules: {
        'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
        'react/react-in-jsx-scope': 'off',
        // A BroadcastChannel has no target origin, and a live region is not the <output> of a form.
        'unicorn/require-post-message-target-origin': 'off',
        'jsx-a11y/prefer-tag-over-role': 'off',
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
      },
    },
    {
      files: ['services/web/*.config.ts'],
      rules: { 'no-restricted-imports': 'off', 'node/no-process-env': 'off' },
    },
    // Generated from the database.
    { files: ['services/core/src/db/tables.ts'], rules: { 'max-lines': 'off' } },
    { files: ['*.config.ts', 'docs/**'], rules: { 'import/no-default-export': 'off' } },
    {
      files: [
        'scripts/**',
        'load-tests/**',
        'tests/**',
        'services/testkit/**',
        'charts/**',
        'docs/*.ts',
        'docs/testing/**',
        'services/web/e2e/**',
      ],
      rules: { 'no-console': 'off', 'node/no-process-env': 'off' },
    },
  ],
});
