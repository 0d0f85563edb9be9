import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Credentials } from '@hearth/testkit/hearth/request.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { checkRecording, type Recording } from './recordedResponses.ts';

export interface SchemathesisRun {
  readonly url: string;
  readonly seed: number;
  /** Random requests per operation, in addition to one for each kind of invalid parameter. */
  readonly examples: number;
  /** An empty folder for configuration and reports. */
  readonly directory: string;
  readonly user: Credentials;
  readonly admin: Credentials;
  /** Existing ids for paths and bodies. */
  readonly ids: readonly string[];
  /** Command-line options that select the operations. */
  readonly filter: readonly string[];
}

/** The fields read from the JSON report. */
interface Report {
  readonly operations: { readonly selected: number; readonly tested: number; readonly errored: number };
  readonly test_cases: { readonly generated: number; readonly errored: number };
  readonly auth: { readonly reauth_broke: boolean };
}

/** Result of a run without faults. */
export interface RequestReport {
  readonly operations: number;
  readonly cases: number;
  /** Responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Timeout of a run, in ms. */
const timeoutMs = 3_600_000;

/**
 * Calls the operations of an API with requests made from its OpenAPI document.
 * @throws Error with the report of Schemathesis, if a check fails, an operation was not called, or a response is not in the contract
 */
export const runSchemathesis = async (run: SchemathesisRun): Promise<RequestReport> => {
  const { url, seed, examples, directory, user, admin, ids, filter } = run;
  for (const name of ['schemathesis.toml', 'hooks.py'])
    await copyFile(join(import.meta.dirname, name), join(directory, name));
  await writeFile(join(directory, 'ids.txt'), ids.map((id) => `"${id}"\n`).join(''));
  const reportPath = join(directory, 'report.json');
  const recordingPath = join(directory, 'recording.har');
  const args = [
    'run',
    `${url}/openapi.json`,
    `--seed=${seed}`,
    `--max-examples=${examples}`,
    `--report-json-path=${reportPath}`,
    `--report-har-path=${recordingPath}`,
    '--report-preserve-bytes',
    '--no-color',
    ...filter,
  ];
  await promisify(execFile)(toolPath('schemathesis'), args, {
    cwd: directory,
    env: {
      // oxlint-disable-next-line node/no-process-env -- the program needs PATH and HOME, and is configured by its file
      ...process.env,
      FUZZ_USERNAME: user.username,
      FUZZ_PASSWORD: user.password,
      FUZZ_ADMIN_USERNAME: admin.username,
      FUZZ_ADMIN_PASSWORD: admin.password,
    },
    maxBuffer: 256 * 1024 * 1024,
    timeout: timeoutMs,
  }).catch(({ stdout = '', stderr = '', message }: Error & { stdout?: string; stderr?: string }) => {
    const output = `${stdout}${stderr}`.trim();
    throw new Error(`Schemathesis failed: ${output.slice(-20_000) || message}`);
  });
  const report = JSON.parse(await readFile(reportPath, 'utf8')) as Report;
  const { operations, test_cases: cases, auth } = report;
  if (operations.tested < operations.selected || operations.errored > 0 || cases.errored > 0 || auth.reauth_broke)
    throw new Error(`Schemathesis did not call every operation: ${JSON.stringify(report)}`);
  const statuses = checkRecording(JSON.parse(await readFile(recordingPath, 'utf8')) as Recording);
  return { operations: operations.tested, cases: cases.generated, statuses };
};
