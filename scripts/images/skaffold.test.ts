import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { parseDockerfile } from './dockerfile.ts';
import { images } from './images.ts';

process.chdir(join(import.meta.dirname, '../..'));

interface Skaffold {
  readonly build: {
    readonly artifacts: readonly {
      readonly image: string;
      readonly docker: { readonly dockerfile: string; readonly buildArgs?: Readonly<Record<string, string>> };
    }[];
  };
  readonly deploy: {
    readonly helm: {
      readonly releases: readonly {
        readonly chartPath: string;
        readonly setValueTemplates: Readonly<Record<string, string>>;
      }[];
    };
  };
  readonly profiles: readonly {
    readonly name: string;
    readonly build: { readonly local: { readonly push: boolean } };
    readonly patches: readonly { readonly op: string; readonly path: string; readonly value: unknown }[];
  }[];
}

const skaffold = parse(readFileSync('skaffold.yaml', 'utf8')) as Skaffold;
const [release] = skaffold.deploy.helm.releases;

/** Returns the value at a path of keys, or undefined. */
const lookUp = (value: unknown, keys: readonly string[]): unknown =>
  keys.reduce((each, key) => (each as Record<string, unknown> | undefined)?.[key], value);

suite('skaffold.yaml', () => {
  test('builds exactly our images, each with its Dockerfile and existing build arguments', () => {
    assert.deepEqual(
      skaffold.build.artifacts.map(({ image, docker }) => ({ image, dockerfile: docker.dockerfile })),
      images.map(({ repository, dockerfile }) => ({ image: repository, dockerfile })),
    );
    for (const { docker } of skaffold.build.artifacts) {
      const { stages } = parseDockerfile(readFileSync(docker.dockerfile, 'utf8'));
      const buildArguments = stages.flatMap(({ instructions }) => instructions).filter(({ name }) => name === 'ARG');
      for (const name of Object.keys(docker.buildArgs ?? {}))
        assert.ok(
          buildArguments.some(({ text }) => text.startsWith(`${name}=`)),
          `${docker.dockerfile} has no ${name}`,
        );
    }
  });

  test('passes the registry, repository and tag of each image to the chart', () => {
    assert.equal(release?.chartPath, 'charts/hearth');
    assert.ok(existsSync(release.chartPath));
    // Skaffold replaces characters that templates do not allow by underscores.
    const expected = images.flatMap(({ repository, valuesKey }) => {
      const name = repository.replaceAll(/[./-]/g, '_');
      return [
        [`${valuesKey}.image.registry`, `{{.IMAGE_DOMAIN_${name}}}`],
        [`${valuesKey}.image.repository`, `{{.IMAGE_REPO_NO_DOMAIN_${name}}}`],
        [`${valuesKey}.image.tag`, `{{.IMAGE_TAG_${name}}}`],
      ];
    });
    assert.deepEqual(release?.setValueTemplates, Object.fromEntries(expected));
  });

  // The chart may be missing in a tree with the images.
  const chart = release?.chartPath ?? '';
  if (existsSync(`${chart}/Chart.yaml`)) {
    test('sets only values that the chart has', () => {
      const values: unknown = parse(readFileSync(`${chart}/values.yaml`, 'utf8'));
      for (const path of Object.keys(release?.setValueTemplates ?? {}))
        assert.notEqual(lookUp(values, path.split('.')), undefined, path);
      // The chart without Skaffold uses the same images.
      for (const { repository, valuesKey } of images) {
        const image = lookUp(values, [valuesKey, 'image']) as {
          readonly registry: string;
          readonly repository: string;
        };
        assert.equal(`${image.registry}/${image.repository}`, repository);
      }
    });
  }

  test('has the profiles dev and ci, which patch existing keys and push nothing', () => {
    assert.deepEqual(
      skaffold.profiles.map(({ name }) => name),
      ['dev', 'ci'],
    );
    for (const { name, build, patches } of skaffold.profiles) {
      // The worker of these profiles has an FFmpeg that must not be redistributed.
      assert.equal(build.local.push, false, name);
      for (const { op, path } of patches) {
        const keys = path.split('/').slice(1);
        assert.notEqual(lookUp(skaffold, op === 'replace' ? keys : keys.slice(0, -1)), undefined, `${name}: ${path}`);
      }
    }
    const worker = skaffold.build.artifacts.findIndex(({ image }) => image.endsWith('/hearth-worker'));
    assert.equal(skaffold.build.artifacts[worker]?.docker.buildArgs?.['FFMPEG'], 'without');
    for (const { patches } of skaffold.profiles)
      assert.ok(patches.some(({ path }) => path === `/build/artifacts/${worker}/docker/buildArgs/FFMPEG`));
  });
});
