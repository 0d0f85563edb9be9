import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { suite, test } from 'node:test';
import { makeTestPhoto } from '@hearth/testkit/pictures/testPhoto.ts';
import { getDataDirectory } from '@hearth/testkit/hearth/dataFolder.ts';
import { getCredentials, type Hearth } from '@hearth/testkit/hearth/hearth.ts';
import { needsLinux } from '@hearth/testkit/hearth/processTree.ts';
import { prepareHearth, type HearthSetup } from '@hearth/testkit/hearth/testHearth.ts';
import { listCommands, readPages, type Page } from '@hearth/testkit/run/guidePages.ts';
import { openShell, type Shell } from '@hearth/testkit/run/shell.ts';

const checkout = join(import.meta.dirname, '../..');

/** Page with the sign-in command that the examples of all other pages use. */
const signInPage = 'user-guide/terminal';

/** Page with the command that exports all originals. */
const exportPage = 'user-guide/faq';

/** Pages tested last: two back up the data of all other examples, and one changes a password. */
const lastPages = ['user-guide/backup', exportPage, 'user-guide/installation'];

const pages = readPages('user-guide');

suite('commands of the user guide, on an installation as npm start runs it', needsLinux, () => {
  test('do what their pages say', { timeout: 300_000 }, async (t) => {
    const sandbox = await prepareHearth(t);
    const installation = await startInstallation(sandbox);
    const work = join(sandbox.directory, 'work');
    await makeFiles(work);
    const env = environmentOf(sandbox, installation.first);
    const signIn = listCommands(pages.find(({ id }) => id === signInPage)!.text).find(
      ({ attributes }) => attributes['test'] === 'sign-in',
    );
    for (const page of inOrder(pages)) {
      const blocks = listCommands(page.text).filter(({ attributes }) => isRunHere(attributes['test']));
      if (blocks.length === 0) continue;
      const shell = openShell(work, env);
      await installation.be('running');
      await shell.run(signIn!.code);
      for (const { attributes, code } of blocks) {
        await installation.be(attributes['test'] === 'stopped' ? 'stopped' : 'running');
        const output = await shell.run(code).catch((error: Error) => {
          throw new Error(`${page.id}: ${error.message}`, { cause: error });
        });
        const { shows } = attributes;
        if (typeof shows === 'string')
          assert.ok(output.includes(shows), `${page.id}: “${shows}” in\n${code}\n${output}`);
      }
      if (page.id === exportPage) await assertExported(shell, work, blocks[0]!.code);
      await shell.end();
      if (page.id === signInPage) await assertFolderFails(openShell(work, env), work, signIn!.code);
    }
    await installation.be('stopped');
  });
});

/** Checks that the upload command reports a rejected file and uploads the others. */
const assertFolderFails = async (shell: Shell, work: string, signIn: string): Promise<void> => {
  const command = listCommands(pages.find(({ id }) => id === signInPage)!.text).find(({ code }) => /xargs/.test(code));
  await writeFile(join(work, 'photos', 'a note, and more.txt'), 'milk');
  await writeFile(join(work, 'photos', 'one; two, 3.jpg'), await makeTestPhoto({ seed: 5, width: 80, height: 60 }));
  await shell.run(signIn);
  await assert.rejects(shell.run(command!.code), /"id"[^]*NOT_MEDIA|NOT_MEDIA[^]*"id"/);
};

/** Checks that every original was exported unchanged under its own name, also across several pages of the list. */
const assertExported = async (shell: Shell, work: string, command: string): Promise<void> => {
  const folder = join(work, 'export');
  const names = await readdir(folder);
  for (const file of ['photo.jpg', 'scan.jpg', 'photos/3.jpg', 'photos/4.jpg']) {
    const name = names.find((each) => each.endsWith(` ${basename(file)}`));
    assert.ok(name !== undefined, `${file} among ${names.join(', ')}`);
    assert.match(name, /^[\da-f]{8}-[\da-f-]{27} \S/);
    assert.deepEqual(await readFile(join(folder, name)), await readFile(join(work, file)), name);
  }
  await rm(folder, { recursive: true });
  await shell.run(command.replace('limit=200', 'limit=2'));
  assert.deepEqual((await readdir(folder)).toSorted(), names.toSorted());
};

/** tests/cluster/guide runs the blocks for a cluster. */
const isRunHere = (test: string | true | undefined): boolean => test !== undefined && test !== 'cluster';

const inOrder = (all: readonly Page[]): readonly Page[] =>
  all.toSorted((one, other) => lastPages.indexOf(one.id) - lastPages.indexOf(other.id));

/**
 * Starts and stops Hearth as a reader does. Later starts have a public address, so that links are absolute instead of
 * paths.
 */
const startInstallation = async (sandbox: HearthSetup) => {
  const first = sandbox.start();
  await first.running;
  let now: Hearth | undefined = first;
  return {
    first,
    be: async (state: 'running' | 'stopped'): Promise<void> => {
      if (state === 'running' && now === undefined) {
        now = sandbox.start({ HEARTH_PUBLIC_URL: first.url });
        await now.running;
      } else if (state === 'stopped' && now !== undefined) {
        process.kill(now.pid, 'SIGTERM');
        assert.deepEqual(await now.ended, { code: 0, signal: null });
        now = undefined;
      }
    },
  };
};

/** Environment with values from the output of the first start, and values that readers choose. */
const environmentOf = ({ directory, ports }: HearthSetup, first: Hearth): NodeJS.ProcessEnv => {
  const [, adminPassword] = /Administrator [^\n]*\n +Password +(\S+)\n/.exec(first.output()) ?? [];
  const data = getDataDirectory(directory);
  // oxlint-disable-next-line node/no-process-env -- the environment of a reader, which the guide does not define
  const own = process.env;
  return {
    ...own,
    PATH: `${join(checkout, 'node_modules/.bin')}:${own['PATH'] ?? ''}`,
    CHECKOUT: checkout,
    URL: first.url,
    PASSWORD: getCredentials(first).password,
    ADMIN_PASSWORD: adminPassword,
    METRICS_PORT: String(ports.metrics),
    DATA: data,
    BACKUP: join(directory, 'backup'),
    HEARTH_DATA_DIR: data,
    HEARTH_LOG_LEVEL: 'error',
    // Skips building the web app, which no block needs.
    HEARTH_WEB_DIR: directory,
  };
};

/** Creates the files that the examples upload. */
const makeFiles = async (folder: string): Promise<void> => {
  await mkdir(join(folder, 'photos'), { recursive: true });
  const takenAt = '2022:04:03 12:56:11';
  await writeFile(join(folder, 'photo.jpg'), await makeTestPhoto({ seed: 1, width: 800, height: 600, takenAt }));
  await writeFile(join(folder, 'scan.jpg'), await makeTestPhoto({ seed: 2, width: 600, height: 800 }));
  for (const seed of [3, 4])
    await writeFile(
      join(folder, 'photos', `${seed}.jpg`),
      await makeTestPhoto({ seed, width: 800, height: 600, takenAt }),
    );
};
