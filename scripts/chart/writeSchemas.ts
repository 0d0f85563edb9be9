import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkedKinds, checkedVersions, customKinds, schemaName, schemasFolder } from './checkedKinds.ts';
import { schemaOfCustomResource, schemaOfKind, type OpenApiDocument, type Schema } from './kubernetesSchema.ts';

// npm run docs:schemas: makes the schemas that the chart's tests check manifests with, out of Go modules, whose checksum database proves that everybody
// gets the same.

/** The folder of a Go module in the module cache, which is downloaded unless it is there. */
const moduleFolder = (module: string, version: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-schemas-'));
  writeFileSync(join(folder, 'go.mod'), 'module hearth.test/schemas\n\ngo 1.24\n');
  const { status, stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=mod' },
  });
  rmSync(folder, { recursive: true });
  if (status !== 0) throw new Error(`${module}@${version}: ${stderr}${stdout}`);
  return (JSON.parse(stdout) as { Dir: string }).Dir;
};

const write = async (version: string, apiVersion: string, kind: string, schema: object): Promise<void> => {
  const folder = join(schemasFolder, version);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, schemaName(apiVersion, kind)), `${JSON.stringify(schema)}\n`);
};

await rm(schemasFolder, { recursive: true, force: true });
for (const version of checkedVersions) {
  const folder = moduleFolder('k8s.io/kubernetes', version);
  const document = JSON.parse(readFileSync(join(folder, 'api/openapi-spec/swagger.json'), 'utf8')) as OpenApiDocument;
  for (const [kind, apiVersion] of Object.entries(checkedKinds))
    await write(version, apiVersion, kind, schemaOfKind(document, apiVersion, kind));
}
for (const { kind, apiVersion, module, version, path } of customKinds) {
  const definition = parse(readFileSync(join(moduleFolder(module, version), path), 'utf8')) as {
    spec: { versions: readonly { name: string; schema: { openAPIV3Schema: Schema } }[] };
  };
  const served = definition.spec.versions.find(({ name }) => apiVersion.endsWith(`/${name}`));
  if (served === undefined) throw new Error(`${module} has no ${apiVersion} ${kind}`);
  await write('custom', apiVersion, kind, schemaOfCustomResource(served.schema.openAPIV3Schema));
}
