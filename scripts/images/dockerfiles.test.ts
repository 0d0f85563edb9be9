import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { parseDockerfile, type Stage } from './dockerfile.ts';
import { baseImage, images } from './images.ts';

process.chdir(join(import.meta.dirname, '../..'));

const allowed = readFileSync('.dockerignore', 'utf8').split('\n');

/** Returns true if `.dockerignore` lets a path of the repository into the build context. */
const isAllowed = (path: string): boolean =>
  path !== '.' && (allowed.includes(`!${path}`) || isAllowed(dirname(path)) || hasAllowedBelow(path));

const hasAllowedBelow = (path: string): boolean => allowed.some((line) => line.startsWith(`!${path}/`));

/** Returns the sources of each COPY from the repository. */
const listSources = ({ instructions }: Stage): readonly string[] =>
  instructions
    .filter(({ name, options }) => name === 'COPY' && options['from'] === undefined)
    .flatMap(({ text }) => text.split(/\s+/).slice(0, -1));

/** Returns the text of a stage's only instruction with this name. */
const findOnly = (stage: Stage, name: string): string => {
  const found = stage.instructions.filter((each) => each.name === name);
  assert.equal(found.length, 1, name);
  return found[0]!.text;
};

/** Returns the folders of a workspace and of its dependencies, without development dependencies. */
const listWorkspaces = (folder: string): readonly string[] => {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const ours = Object.keys(dependencies).filter((name) => name.startsWith('@hearth/'));
  return [...new Set([folder, ...ours.flatMap((name) => listWorkspaces(name.replace('@hearth', 'services')))])];
};

/** Returns a package of the documentation site with its transitive dependencies. */
const listPackagesOf = (name: string): readonly string[] => {
  const { packages } = JSON.parse(readFileSync('docs/package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>;
  };
  return [name, ...Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}).flatMap(listPackagesOf)];
};

/** Listen addresses of each image, by its key in the chart's values. */
const addresses = {
  api: ['HEARTH_HOST=0.0.0.0', 'HEARTH_METRICS_HOST=0.0.0.0'],
  worker: ['HEARTH_METRICS_HOST=0.0.0.0'],
  operator: ['HEARTH_METRICS_HOST=0.0.0.0'],
  site: ['HEARTH_HOST=0.0.0.0'],
};

test('the list of images contains every Dockerfile, and .dockerignore allows only existing paths', () => {
  assert.deepEqual(
    globSync(['{services,operators}/*/Dockerfile', 'docs/Dockerfile']).toSorted(),
    images.map(({ dockerfile }) => dockerfile).toSorted(),
  );
  assert.equal(
    allowed.find((line) => line !== '' && !line.startsWith('#')),
    '*',
  );
  for (const line of allowed.filter((line) => line.startsWith('!')))
    assert.ok(existsSync(line.slice(1)), `.dockerignore names ${line}`);
});

test('.npmrc in the build contains no registry and no secret', () => {
  assert.doesNotMatch(readFileSync('.npmrc', 'utf8'), /auth|token|password|registry=|\/\//i);
});

for (const { dockerfile, repository, valuesKey } of images) {
  suite(dockerfile, () => {
    const text = readFileSync(dockerfile, 'utf8');
    const { before, stages } = parseDockerfile(text);
    const last = stages.at(-1)!;
    const [program, ...args] = JSON.parse(findOnly(last, 'ENTRYPOINT')) as string[];

    test('every stage starts from the pinned base or an earlier stage', () => {
      assert.deepEqual(before, [{ name: 'ARG', options: {}, text: `NODE_IMAGE=${baseImage}` }]);
      assert.match(baseImage, /^node:24[\d.]*-trixie-slim$/);
      const knownStages = ['${NODE_IMAGE}'];
      for (const { from, name, instructions } of stages) {
        assert.ok(knownStages.includes(from), from);
        for (const { options } of instructions)
          if (options['from'] !== undefined) assert.ok(knownStages.includes(options['from']), options['from']);
        if (name !== undefined) knownStages.push(name);
      }
      assert.equal(last.from, '${NODE_IMAGE}');
    });

    test('runs one program as a numeric user, without a shell or npm', () => {
      assert.equal(findOnly(last, 'USER'), '65532:65532');
      assert.equal(program, 'node');
      const files = args.filter((argument) => !argument.startsWith('-'));
      assert.equal(files.length, 1);
      assert.ok(existsSync(files[0]!), files[0]);
      assert.ok(listSources(last).some((source) => files[0]!.startsWith(`${source}/`)));
      assert.deepEqual(
        last.instructions.filter(({ name }) => name === 'CMD'),
        [],
      );
    });

    test('copies only paths that exist and that .dockerignore allows', () => {
      for (const stage of stages) {
        for (const source of listSources(stage)) {
          assert.ok(existsSync(source), source);
          assert.ok(isAllowed(source), `.dockerignore lacks ${source}`);
        }
      }
    });

    test('contains the workspaces it depends on as folders, because Node runs no TypeScript from node_modules', () => {
      if (dockerfile === 'docs/Dockerfile') {
        // The site is not a workspace. Its server has one package, copied with its dependencies.
        const copied = new Set(last.instructions.filter(({ name }) => name === 'COPY').map(({ text: paths }) => paths));
        for (const name of listPackagesOf('sirv')) {
          const folder = `docs/node_modules/${name}`;
          assert.ok(copied.has(`/hearth/${folder} ${folder}`), name);
        }
        return;
      }
      const packages = stages.find(({ name }) => name === 'packages');
      assert.ok(packages);
      for (const folder of listWorkspaces(dirname(dockerfile))) {
        assert.ok(listSources(packages).includes(`${folder}/package.json`), `${folder}/package.json`);
        for (const path of [`${folder}/package.json`, `${folder}/src`])
          assert.ok(listSources(last).includes(path), path);
      }
    });

    test('fills the compile cache for the user and the options of the entry point', () => {
      const user = last.instructions.findIndex(({ name }) => name === 'USER');
      const warmUp = last.instructions.findIndex(
        ({ name, text }) => name === 'RUN' && text.includes(`node ${args.join(' ')} --help`),
      );
      assert.ok(user >= 0 && warmUp > user);
    });

    test('builds on any CPU architecture and with old builders', () => {
      assert.doesNotMatch(text, /\b(?:amd64|arm64|x64|x86_64|aarch64)\b/);
      assert.doesNotMatch(text, /<<|--(?:link|parents|exclude)\b/);
    });

    test('listens on every interface, for metrics too', () => {
      const settings = [...text.matchAll(/\bHEARTH_(?:METRICS_)?HOST=\S+/g)].map(([setting]) => setting);
      assert.deepEqual(settings, addresses[valuesKey]);
    });

    test('contains and requires no secret', () => {
      const names = [...text.matchAll(/^\s*(?:ARG|ENV)?\s*([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
      assert.ok(names.length >= 4);
      for (const name of names) assert.doesNotMatch(name, /SECRET|PASSWORD|TOKEN|CREDENTIAL|(?:^|_)KEY/);
      assert.doesNotMatch(text, /https?:\/\/[^/\s]*@|_authToken|PRIVATE KEY/);
    });

    test('has the OCI labels', () => {
      const labels = findOnly(last, 'LABEL');
      for (const name of ['title', 'description', 'source', 'licenses', 'revision', 'version'])
        assert.match(labels, new RegExp(`org\\.opencontainers\\.image\\.${name}="[^"]+"`), name);
      assert.match(repository, /^ghcr\.io\/hearth-photos\/hearth-[a-z-]+$/);
    });
  });
}
