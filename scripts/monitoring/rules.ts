import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

/** The folders of the chart that Prometheus and Grafana read. */
export const chartFiles = join(import.meta.dirname, '../../charts/hearth/files');

/** A rule of Prometheus, recording or alerting. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The rules of a file, whose `name` is that without folder and ending. */
export interface RuleFile {
  readonly name: string;
  readonly path: string;
  readonly rules: readonly Rule[];
}

/** All rules of the chart. */
export const readRuleFiles = (kind: 'recording' | 'alerts'): readonly RuleFile[] =>
  globSync(`rules/${kind}/*.yaml`, { cwd: chartFiles })
    .toSorted()
    .map((file) => {
      const path = join(chartFiles, file);
      const { groups } = parse(readFileSync(path, 'utf8')) as { groups: { rules: Rule[] }[] };
      return { name: basename(file, '.yaml'), path, rules: groups.flatMap(({ rules }) => rules) };
    });
