import { accessSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The programs that tests and benchmarks run and npm does not bring; `scripts/tools` installs them. */
export const toolNames = [
  'redis-server',
  'versitygw',
  /** The S3 server of Ceph, with the daemons that it stands on beside it. */
  'radosgw',
  /** The programs of a PostgreSQL as a distribution has it, without pgvector: `path` is their folder. */
  'postgres-plain',
  /** The same of a PostgreSQL with pgvector. */
  'postgres-pgvector',
  'pgbouncer',
  'chromium',
  'nginx',
  /** The program that confines decoders. */
  'bwrap',
  'k6',
  /** The program by which the guide copies a bucket. */
  'rclone',
  /** The program that Hearth's decoding of formats is compared with. */
  'ffmpeg',
  'vipsthumbnail',
  'heif-convert',
  'djxl',
  'opj_decompress',
  /** The program that renders and installs charts, and the one that checks manifests against Kubernetes' own schemas. */
  'helm',
  'kubeconform',
  /** JSON schemas of Kubernetes for kubeconform: `path` is their folder. */
  'kubernetes-schemas',
  /** The program that writes the tables of a chart's values. */
  'helm-docs',
  /** The programs that check workflows of GitHub Actions: their syntax, and their security. */
  'actionlint',
  'zizmor',
  /** The program that compares OpenAPI documents. */
  'oasdiff',
  /** The programs prometheus and promtool: `path` is their folder. */
  'prometheus',
  /** Python with onnxruntime and numpy, for a second implementation of what the models find: `path` is the program. */
  'python-onnxruntime',
  /** The program that sends requests made from an OpenAPI document. */
  'schemathesis',
  /** The map of places that `npm run places` makes: `path` is the file. */
  'places',
] as const;

export type ToolName = (typeof toolNames)[number];

const benchmarkTools: ReadonlySet<ToolName> = new Set([
  'nginx',
  'rclone',
  'ffmpeg',
  'vipsthumbnail',
  'heif-convert',
  'djxl',
  'opj_decompress',
]);

/** The tools that `npm test` installs. Benchmarks need the others. */
export const testTools = toolNames.filter((name) => !benchmarkTools.has(name));

/** End of the reason to skip a test that HEARTH_REQUIRE_TOOLS does not require. */
export const notRequired = '(not required)';

/** The path of a tool, or a sentence that says why it is not there. */
export type FoundTool = { readonly path: string } | { readonly missing: string };

/** The folder of the tools, outside of the checkout, so that every checkout has them. */
export const toolsDirectory = (env: NodeJS.ProcessEnv): string =>
  env['HEARTH_TOOLS_DIR'] || join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hearth-tools');

/** The file in which `scripts/tools` notes what became of a tool, as a `FoundTool`. */
export const toolRecord = (directory: string, name: ToolName): string => join(directory, `${name}.json`);

/** Finds a tool for a test, which is skipped with the reason where there is none: `{ skip: missingTool('versitygw') }`. */
export const findTool = (name: ToolName): FoundTool => {
  // oxlint-disable-next-line node/no-process-env -- no process of ours is configured here: it names the tools of the tests
  const record = toolRecord(toolsDirectory(process.env), name);
  try {
    const found = JSON.parse(readFileSync(record, 'utf8')) as FoundTool;
    if ('path' in found) accessSync(found.path);
    return found;
  } catch {
    return { missing: `${name} is not installed: npm run tools` };
  }
};

/** Why a test that needs these tools has to be skipped; false where all of them are there. */
export const missingTool = (...names: readonly ToolName[]): string | false => {
  for (const name of names) {
    const found = findTool(name);
    if ('missing' in found) return found.missing;
  }
  return false;
};

/** @throws Error where the tool is missing */
export const toolPath = (name: ToolName): string => {
  const found = findTool(name);
  if ('missing' in found) throw new Error(found.missing);
  return found.path;
};
