import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

/** Folder of the chart with the files for Prometheus and Grafana. */
export const chartFiles = join(import.meta.dirname, '../../charts/hearth/files');

/** A recording or alerting rule of Prometheus. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Rules of a file. `name` is the file name without folder and extension. */
export interface RuleFile {
  readonly name: string;
  readonly path: string;
  readonly rules: readonly Rule[];
}

/** Returns all rule files of the chart. */
export const readRuleFiles = (kind: 'recording' | 'alerts'): readonly RuleFile[] =>
  globSync(`rules/${kind}/*.yaml`, { cwd: chartFiles })
    .toSorted()
    .map((file) => {
      const path = join(chartFiles, file);
      const { groups } = parse(readFileSync(path, 'utf8')) as { groups: { rules: Rule[] }[] };
      return { name: basename(file, '.yaml'), path, rules: groups.flatMap(({ rules }) => rules) };
    });
