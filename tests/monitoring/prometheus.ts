import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findFreePort } from '@hearth/core/process/freePort.ts';
import { startSupervisedServer } from '@hearth/testkit/servers/supervisedServer.ts';
import { getFastFolder } from '@hearth/testkit/run/fastFolder.ts';
import { isResponding } from '@hearth/testkit/servers/replica.ts';
import { toolPath } from '@hearth/testkit/run/tools.ts';
import { readRuleFiles } from '@hearth/scripts/monitoring/rules.ts';

/** A Prometheus that scrapes every second, with the chart's rules. */
export interface Prometheus {
  /** Seconds since 1970. */
  readonly startedAt: number;
  /** Runs a panel's query from `from` on, with a step of two seconds. @throws Error with Prometheus's message */
  query(expr: string, from: number): Promise<readonly Line[]>;
  /** Returns problems with targets and rules, such as a failing rule. */
  problems(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** A series over time. */
export interface Line {
  readonly labels: Readonly<Record<string, string>>;
  /** Seconds since 1970, and finite values. */
  readonly points: readonly (readonly [at: number, value: number])[];
}

const stepSeconds = 2;

/** Starts the Prometheus of `npm run tools` with one scrape config. */
export const startPrometheus = async (scrapeConfig: object): Promise<Prometheus> => {
  const directory = await mkdtemp(join(getFastFolder(), 'hearth-prometheus-'));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [...readRuleFiles('recording'), ...readRuleFiles('alerts')].map(({ path }) => path),
    scrape_configs: [{ job_name: 'any', ...scrapeConfig }],
  };
  await writeFile(join(directory, 'prometheus.yml'), stringify(config));
  const server = await startSupervisedServer({
    program: join(toolPath('prometheus'), 'prometheus'),
    args: [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    directory,
    isReady: () => isResponding(`${url}/-/ready`),
  });
  const callApi = async <Data>(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<Data> => {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
    const { data, error } = (await response.json()) as { data: Data; error?: string };
    if (error !== undefined) throw new Error(`${parameters['query'] ?? path}: ${error}`);
    return data;
  };
  return {
    startedAt: Date.now() / 1_000,
    query: async (expr, from) => {
      const query = expr
        .replaceAll('$namespace', '.*')
        .replaceAll('$__rate_interval', '10s')
        .replaceAll('$__range', `${Math.ceil(Date.now() / 1_000 - from)}s`);
      const span = { start: String(from), end: String(Date.now() / 1_000), step: String(stepSeconds) };
      const { result } = await callApi<{ result: RawLine[] }>('query_range', { query, ...span });
      return result.map(({ metric, values }) => ({
        labels: metric,
        points: values.map(([at, text]) => [at, Number(text)] as const).filter(([, value]) => Number.isFinite(value)),
      }));
    },
    problems: async () => {
      const { activeTargets } = await callApi<{ activeTargets: { scrapeUrl: string; lastError: string }[] }>('targets');
      const { groups } = await callApi<{ groups: { rules: { name: string; lastError?: string }[] }[] }>('rules');
      return [
        ...activeTargets.map(({ scrapeUrl, lastError }) => ({ name: scrapeUrl, lastError })),
        ...groups.flatMap(({ rules }) => rules),
      ].flatMap(({ name, lastError }) => (lastError ? [`${name}: ${lastError}`] : []));
    },
    stop: () => server.stop(),
  };
};

interface RawLine {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}
