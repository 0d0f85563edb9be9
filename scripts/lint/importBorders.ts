import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Ban } from './importDoors.ts';

/** Folders of `services/web/src`, from the bottom up. Each may import the ones before it. */
const webLayers = ['locales', 'lib', 'components', 'features', 'app'] as const;

const webFeatures = readdirSync(join(import.meta.dirname, '../../services/web/src/features'));

/** Returns patterns for relative imports of a folder, from its siblings and up to three levels below them. */
const relativeTo = (folder: string): readonly string[] =>
  ['..', '../..', '../../..', '../../../..'].map((up) => `${up}/${folder}/**`);

/** Imports that are forbidden between workspaces or sibling folders. */
export const importBorders: readonly (Ban & { readonly from: string })[] = [
  {
    from: 'services',
    group: ['@hearth/testkit/**'],
    message: 'Only tests may import the test kit.',
  },
  {
    from: 'services/contract',
    group: ['node:*', '@hearth/**'],
    message: 'contract also runs in browsers: it may import only zod.',
  },
  {
    from: 'services/core',
    group: ['@hearth/{api,worker,inference}/**', '**/{api,worker,inference}/src/**'],
    message: 'core is below the services: move shared code into core or contract.',
  },
  {
    from: 'services/inference',
    group: ['@hearth/{api,worker}/**', '**/{api,worker}/src/**'],
    message: 'inference is below the services: it gets pixels and returns results.',
  },
  {
    from: 'services/api',
    group: ['@hearth/worker/**', '**/worker/src/**'],
    message: 'api and worker communicate only through the database and the queue: move shared code into core.',
  },
  {
    from: 'services/worker',
    group: ['@hearth/api/**', '**/api/src/**'],
    message: 'worker and api communicate only through the database and the queue: move shared code into core.',
  },
  {
    from: 'services/web/src',
    group: ['@hearth/{core,api,worker,inference}/**', '**/{core,api,worker,inference}/src/**', 'node:*'],
    message: 'The web app runs in a browser: of the other packages it may import only contract.',
  },
  ...webLayers.slice(0, -1).map((from, index) => ({
    from: `services/web/src/${from}`,
    group: webLayers.slice(index + 1).flatMap(relativeTo),
    message: 'A folder of the web app may import only lower folders: pass values as arguments, or move the code down.',
  })),
  ...webFeatures.map((from) => ({
    from: `services/web/src/features/${from}`,
    group: webFeatures.filter((other) => other !== from).flatMap(relativeTo),
    message:
      'Features must not import each other: move shared code to components/ or lib/, and compose features in app/router.tsx.',
  })),
  {
    from: 'operators',
    group: ['@hearth/**', '**/services/**'],
    message: 'The operator is independent of Hearth: it must not import from services.',
  },
  ...['db', 'duplicates', 'items', 'originals', 'people', 'runs'].map((from) => ({
    from: `services/core/src/${from}`,
    group: ['../{objects,queue}/**', '@hearth/core/{objects,queue}/**'],
    message: 'Queries, objects and queue must not import each other: combine them in a feature or a component.',
  })),
  ...['objects', 'queue'].map((from) => ({
    from: `services/core/src/${from}`,
    group: ['../{db,objects,queue}/**', '../../{db,queue}/**'],
    message: 'Queries, objects and queue must not import each other: combine them in a feature or a component.',
  })),
  {
    from: 'services/api/src/features',
    group: ['../*', '../../*', '@hearth/api/features/*'].flatMap((feature) => [
      `${feature}/routes.ts`,
      `${feature}/presenter.ts`,
    ]),
    message: 'A feature must not import the routes or the presenter of another: move shared code below the features.',
  },
  {
    from: 'services/api/src/features',
    group: ['../../server/**', '../../../server/**', '@hearth/api/server/**'],
    message: 'server/app.ts combines the features: a feature must not import it.',
  },
  {
    from: 'services/api/src/http',
    group: ['../{features,server,housekeeping}/**', '../../{features,server,housekeeping}/**'],
    message: 'http is independent of routes: features import it, and server/app.ts combines both.',
  },
  ...['accounts', 'database', 'events', 'links', 'lists', 'semantic'].map((from) => ({
    from: `services/api/src/${from}`,
    group: ['../{deps,features,housekeeping,http,server}/**'],
    message: 'Features depend on this folder: pass values to its functions as arguments.',
  })),
  {
    from: 'services/api/src/ingest',
    group: ['../{features,housekeeping,http,server}/**'],
    message: 'Features depend on this folder: pass values to its functions as arguments.',
  },
  {
    from: 'services/worker/src/components',
    group: ['../*/component.ts', '../../pipeline/**'],
    message: 'Components must not import each other or the pipeline: move shared code to media/ or core.',
  },
  ...['context', 'media', 'places'].map((from) => ({
    from: `services/worker/src/${from}`,
    group: ['../**/{components,pipeline}/**'],
    message: 'Components depend on this folder: pass values to its functions as arguments.',
  })),
];
