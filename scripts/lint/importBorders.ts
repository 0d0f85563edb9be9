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
    message: 'The test kit is for tests.',
  },
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
    from: 'services/inference',
    group: ['@hearth/{api,worker}/**', '**/{api,worker}/src/**'],
    message: 'inference is below the services: it gets pixels and answers what it has found.',
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
    from: 'services/web/src',
    group: ['@hearth/{core,api,worker,inference}/**', '**/{core,api,worker,inference}/src/**', 'node:*'],
    message: 'The web app runs in a browser and knows the API by the types of contract alone.',
  },
  ...webLayers.slice(0, -1).map((from, index) => ({
    from: `services/web/src/${from}`,
    group: webLayers.slice(index + 1).flatMap(relativeTo),
    message: 'A folder of the web app imports only those below it: pass in what comes from above, or move it down.',
  })),
  ...webFeatures.map((from) => ({
    from: `services/web/src/features/${from}`,
    group: webFeatures.filter((other) => other !== from).flatMap(relativeTo),
    message: 'Features never import one another: share by components/ or lib/, and let app/router.tsx compose them.',
  })),
  {
    from: 'operators',
    group: ['@hearth/**', '**/services/**'],
    message: 'The operator stands alone: it runs without Hearth, and imports nothing from services.',
  },
  ...['db', 'duplicates', 'items', 'originals', 'people', 'runs'].map((from) => ({
    from: `services/core/src/${from}`,
    group: ['../{objects,queue}/**', '@hearth/core/{objects,queue}/**'],
    message: 'Queries, objects and queue never import one another: combine them in a feature or a component.',
  })),
  ...['objects', 'queue'].map((from) => ({
    from: `services/core/src/${from}`,
    group: ['../{db,objects,queue}/**', '../../{db,queue}/**'],
    message: 'Queries, objects and queue never import one another: combine them in a feature or a component.',
  })),
  {
    from: 'services/api/src/features',
    group: ['../*', '../../*', '@hearth/api/features/*'].flatMap((feature) => [
      `${feature}/routes.ts`,
      `${feature}/presenter.ts`,
    ]),
    message: 'A feature never imports the routes or the presenter of another: move what both need below the features.',
  },
  {
    from: 'services/api/src/features',
    group: ['../../server/**', '../../../server/**', '@hearth/api/server/**'],
    message: 'server/app.ts puts the features together: a feature never imports it.',
  },
  {
    from: 'services/api/src/http',
    group: ['../{features,server,housekeeping}/**', '../../{features,server,housekeeping}/**'],
    message: 'http serves any route: features import it, and server/app.ts puts both together.',
  },
  ...['accounts', 'database', 'events', 'links', 'lists', 'semantic'].map((from) => ({
    from: `services/api/src/${from}`,
    group: ['../{deps,features,housekeeping,http,server}/**'],
    message: 'Features build on this folder: give its functions what they need as arguments.',
  })),
  {
    from: 'services/api/src/ingest',
    group: ['../{features,housekeeping,http,server}/**'],
    message: 'Features build on this folder: give its functions what they need as arguments.',
  },
  {
    from: 'services/worker/src/components',
    group: ['../*/component.ts', '../../pipeline/**'],
    message: 'Components never import one another or the pipeline: move what two need to media/ or core.',
  },
  ...['context', 'media', 'places'].map((from) => ({
    from: `services/worker/src/${from}`,
    group: ['../**/{components,pipeline}/**'],
    message: 'Components build on this folder: give its functions what they need as arguments.',
  })),
];
