import { accessSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Programs that `npm test` installs, because npm does not provide them. `scripts/tools` has their recipes. */
export const testTools = [
  'redis-server',
  'versitygw',
  /** The S3 server of Ceph with its daemons. */
  'radosgw',
  /** Folder with the programs of a distribution's PostgreSQL, without pgvector. */
  'postgres-plain',
  /** The same with pgvector. */
  'postgres-pgvector',
  'pgbouncer',
  'chromium',
  /** Sandboxes decoders. */
  'bwrap',
  'k6',
  'helm',
  /** Checks manifests against the schemas of Kubernetes. */
  'kubeconform',
  /** Folder of the JSON schemas of Kubernetes, for kubeconform. */
  'kubernetes-schemas',
  /** Writes the tables of a chart's values. */
  'helm-docs',
  /** Check the syntax and the security of GitHub workflows. */
  'actionlint',
  'zizmor',
  /** Compares OpenAPI documents. */
  'oasdiff',
  /** Folder of prometheus and promtool. */
  'prometheus',
  /** Python with onnxruntime and numpy, for a second implementation of the models. */
  'python-onnxruntime',
  /** Sends requests generated from an OpenAPI document. */
  'schemathesis',
  /** Renders the changelog of a release. */
  'towncrier',
  /** The places file built by `npm run places`. */
  'places',
] as const;

/** Programs that only benchmarks and the guide use: other decoders, a proxy, and an S3 client. */
const benchmarkTools = [
  'nginx',
  'rclone',
  'ffmpeg',
  'vipsthumbnail',
  'heif-convert',
  'djxl',
  'opj_decompress',
] as const;

export const toolNames = [...testTools, ...benchmarkTools] as const;

export type ToolName = (typeof toolNames)[number];

/** End of the reason to skip a test that HEARTH_REQUIRE_TOOLS does not require. */
export const notRequired = '(not required)';

/** Path of a tool, or a sentence that explains why it is missing. */
export type FoundTool = { readonly path: string } | { readonly missing: string };

/** Returns the folder of the tools. It is outside the checkout, so that all checkouts share it. */
export const toolsDirectory = (env: NodeJS.ProcessEnv): string =>
  env['HEARTH_TOOLS_DIR'] || join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hearth-tools');

/** Returns the path of the file where `scripts/tools` records the result for a tool, as a `FoundTool`. */
export const toolRecord = (directory: string, name: ToolName): string => join(directory, `${name}.json`);

/** Finds a tool for a test. Without it, the test is skipped with the reason: `{ skip: missingTool('versitygw') }`. */
export const findTool = (name: ToolName): FoundTool => {
  // oxlint-disable-next-line node/no-process-env -- not configuration of Hearth: names the tools of the tests
  const record = toolRecord(toolsDirectory(process.env), name);
  try {
    const found = JSON.parse(readFileSync(record, 'utf8')) as FoundTool;
    if ('path' in found) accessSync(found.path);
    return found;
  } catch {
    return { missing: `${name} is not installed: npm run tools` };
  }
};

/** Returns the reason to skip a test that needs these tools; false if all are installed. */
export const missingTool = (...names: readonly ToolName[]): string | false => {
  for (const name of names) {
    const found = findTool(name);
    if ('missing' in found) return found.missing;
  }
  return false;
};

/** @throws Error if the tool is missing */
export const toolPath = (name: ToolName): string => {
  const found = findTool(name);
  if ('missing' in found) throw new Error(found.missing);
  return found.path;
};
