import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { installSite, siteFolder } from '../../scripts/site/installSite.ts';

/*
 * The numbers of the specification that Docusaurus and its packages bring along, as they are installed. That the progress bar of the built site keeps to
 * its numbers is looked at in failures.test.ts; the loader waits behind a page that Docusaurus has loaded already, so that nobody meets it there.
 */
before(installSite);

const requireOfSite = createRequire(join(siteFolder, 'package.json'));

const sourceOf = (file: string): string => readFileSync(join(siteFolder, 'node_modules/@docusaurus', file), 'utf8');

test('the progress bar waits 200 ms, begins at 0.08, moves within 200 ms, and trickles by up to 0.02 every 800 ms', () => {
  const { settings } = requireOfSite('nprogress') as { settings: Record<string, unknown> };
  const { minimum, speed, trickle, trickleRate, trickleSpeed } = settings;
  assert.deepEqual(
    { minimum, speed, trickle, trickleRate, trickleSpeed },
    { minimum: 0.08, speed: 200, trickle: true, trickleRate: 0.02, trickleSpeed: 800 },
  );
  const configured = sourceOf('theme-classic/lib/nprogress.js');
  assert.match(configured, /\bdelay = 200;/);
  assert.deepEqual(configured.match(/\.configure\(.*\)/g), ['.configure({ showSpinner: false })']);
});

/** What of the component of the loader is called here, as React does it. */
interface Loader {
  componentDidMount(): void;
  UNSAFE_componentWillMount(): void;
}

test('the loader of pages waits 200 ms before it shows that something is under way', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const makeLoader = requireOfSite('react-loadable') as (options: object) => new (props: object) => Loader;
  const Waiting = makeLoader({ loader: () => Promise.withResolvers().promise, loading: () => null });
  const states: unknown[] = [];
  const loader = Object.assign(new Waiting({}), { setState: (state: unknown) => states.push(state) });
  loader.componentDidMount();
  loader.UNSAFE_componentWillMount();
  t.mock.timers.tick(199);
  assert.deepEqual(states, []);
  t.mock.timers.tick(1);
  assert.deepEqual(states, [{ pastDelay: true }]);
  // Docusaurus gives it no delay of its own.
  assert.doesNotMatch(sourceOf('core/lib/client/exports/ComponentCreator.js'), /\bdelay\b/);
});
