import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import operator from '../../operators/queue-scaler/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { listBlocks, listCommands, listSections, readPages } from './pages.ts';

const checkout = join(import.meta.dirname, '../..');
const pages = ['user-guide', 'admin-guide', 'dev-guide', 'decisions'].flatMap(readPages);
const guides = pages.filter(({ id }) => /^(?:user|dev)-guide\//.test(id));

/** A page without its code, of which Markdown and MDX understand nothing. */
const withoutCode = (text: string): string =>
  text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/(`+)[^`].*?\1/g, '`code`');

/** The sections of a page beside the site: its headings are made into addresses by the same rule. */
const anchorsOf = (path: string): readonly string[] =>
  listSections(readFileSync(path, 'utf8')).map(({ anchor }) => anchor);

test('every link to a section of a page leads to one that is there', () => {
  let count = 0;
  for (const { id, text } of pages)
    for (const [, target = '', anchor = ''] of text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
      const path = target === '' ? `${id}.md` : posix.join(posix.dirname(id), target);
      const file = join(checkout, 'docs/docs', path);
      assert.ok(existsSync(file), `${id} links to ${target}`);
      assert.ok(anchorsOf(file).includes(anchor), `${id} links to ${target}#${anchor}`);
      count += 1;
    }
  assert.ok(count >= 40);
});

test('outside of code no page of the guides has what MDX takes for a tag or an expression', () => {
  for (const { id, text } of guides) {
    const prose = withoutCode(text).replaceAll(/<!--.*?-->/gs, '');
    const [found] = /(?<!\\)[{}]|(?<!\\)<(?=[A-Za-z/!])/.exec(prose) ?? [];
    assert.equal(
      found,
      undefined,
      `${id}: ${prose.slice(Math.max(0, prose.search(/(?<!\\)[{}<]/) - 40)).slice(0, 80)}`,
    );
  }
});

/*
 * What a block of commands says behind its language:
 *
 *   test=embedded          commands.test.ts runs it on an installation that runs; test=stopped on one that was ended, and test=sign-in before each page
 *   test=cluster           load-tests/cluster/guide runs it on a cluster
 *   shows="some text"      and prints that
 *   goes-on="some text"    and does not end by itself: it goes on in a second terminal once it has printed that
 *   tested-by=some/path    another test does the same
 *   not-run="a reason"     nobody runs it, and why
 */
test('every block of commands of the user guide is run by a test, or says why it is not', () => {
  let count = 0;
  for (const { id, text } of pages.filter((page) => page.id.startsWith('user-guide/')))
    for (const { attributes, code } of listCommands(text)) {
      const said = ['test', 'tested-by', 'not-run'].filter((name) => typeof attributes[name] === 'string');
      assert.equal(said.length, 1, `${id}: one of test=, tested-by= and not-run= for\n${code}`);
      const { test: how, 'tested-by': path, 'not-run': reason } = attributes;
      if (how !== undefined) assert.match(String(how), /^(?:embedded|stopped|sign-in|cluster)$/, id);
      if (attributes['goes-on'] !== undefined) assert.equal(how, 'cluster', id);
      if (path !== undefined) assert.ok(existsSync(join(checkout, String(path))), `${id}: ${String(path)}`);
      if (reason !== undefined) assert.ok(String(reason).length > 10, `${id}: a reason for\n${code}`);
      count += how === undefined ? 0 : 1;
    }
  assert.ok(count >= 40, `${count} blocks are run`);
});

test('every npm script that a page of the guides names is there', () => {
  const scripts = new Set([manifest, operator].flatMap((each) => Object.keys(each.scripts)));
  let count = 0;
  for (const { id, text } of guides)
    for (const [, name = ''] of text.matchAll(/\bnpm run ([a-z][\w-]*(?::[\w-]+)*)/g)) {
      assert.ok(scripts.has(name), `${id} names npm run ${name}`);
      count += 1;
    }
  assert.ok(count >= 40);
});

test('every file and folder that a page for developers names is there', () => {
  for (const name of ['introduction', 'contribution', 'environment', 'folder-structure', 'design-document'])
    for (const [, path = ''] of guides
      .find(({ id }) => id === `dev-guide/${name}`)!
      .text.matchAll(/`((?:services|operators|scripts|load-tests|docs|charts)\/[^`<*…\s]+)`/g))
      assert.ok(existsSync(join(checkout, path)), `${name} names ${path}`);
});

test('each picture of the design is one that Mermaid knows', () => {
  const pictures = listBlocks(guides.find(({ id }) => id === 'dev-guide/design-document')!.text).filter(
    ({ language }) => language === 'mermaid',
  );
  assert.deepEqual(
    pictures.map(({ code }) => code.split(/\s/, 1)[0]),
    ['flowchart', 'flowchart', 'sequenceDiagram', 'stateDiagram-v2'],
  );
});

test('the page on folders names every folder that is there', () => {
  const { text } = guides.find(({ id }) => id === 'dev-guide/folder-structure')!;
  const named = new Set([...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path));
  const files = execFileSync('git', ['ls-files'], { cwd: checkout, encoding: 'utf8' }).trim().split('\n');
  const folders = new Set(files.flatMap(foldersOf).filter((folder) => isToBeNamed(folder)));
  assert.deepEqual(
    [...folders].filter((folder) => !named.has(folder)),
    [],
    'add them to docs/docs/dev-guide/folder-structure.md',
  );
  assert.ok(folders.size >= 100);
});

/** Every folder that a file lies in, from the top. */
const foldersOf = (file: string): readonly string[] => {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
};

/** The top, each workspace, and what is directly in their sources; of core also the rooms of the database. */
const isToBeNamed = (folder: string): boolean =>
  [
    /^[^/]+$/,
    /^(?:services|operators)\/[^/]+$/,
    /^(?:services|operators)\/[^/]+\/src\/[^/]+$/,
    /^services\/core\/(?:migrations|src\/db\/[^/]+)$/,
    /^services\/web\/(?:e2e|public|scripts)$/,
    /^charts\/[^/]+\/[^/]+$/,
    /^(?:load-tests|scripts|docs)\/[^/]+$/,
    /^docs\/docs\/[^/]+-guide$/,
  ].some((pattern) => pattern.test(folder));
