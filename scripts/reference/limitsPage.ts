import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as limits from '@hearth/contract/limits.ts';
import { list, page } from './markdown.ts';

const source = join(import.meta.dirname, '../../services/contract/src/limits.ts');

/** Renders the page with the limits of the contract. */
export const renderLimitsPage = (): string =>
  page(
    'Limits',
    [
      'Fixed limits and defaults of the API. For limits that you can set, such as the largest file, see [Configuration](configuration.md).',
    ],
    'npm run docs:reference',
    [
      list(
        listLimits(readFileSync(source, 'utf8'), limits).map(({ name, value, description }) => [
          `\`${name}\` (${value.toLocaleString('en')})`,
          firstSentence(description),
        ]),
      ),
    ],
  );

/** Returns a description without its reasons. */
const firstSentence = (text: string): string => text.split(/[.:] /)[0]!.replace(/\.$/, '');

/** A constant of the contract's limits with its comment. */
export interface Limit {
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

/**
 * Returns the constants of a source text with their values. A comment applies to all constants up to the next comment.
 * @throws if one has no comment
 */
export const listLimits = (text: string, values: Readonly<Record<string, number>>): readonly Limit[] => {
  let description: string | undefined;
  const found = [...text.matchAll(/\/\*\*\s*(.*?)\s*\*\/|^export const (\w+) =/gms)].flatMap(([, comment, name]) => {
    if (comment !== undefined) description = comment.replaceAll(/(?:^|\s*\n\s*)\*\s*/g, ' ').trim();
    if (name === undefined) return [];
    const value = values[name];
    if (description === undefined || value === undefined) throw new Error(`limit ${name} has no comment or no value`);
    return [{ name, value, description }];
  });
  const missing = Object.keys(values).filter((name) => !found.some((each) => each.name === name));
  if (missing.length > 0) throw new Error(`limits not found in the source: ${missing.join(', ')}`);
  return found;
};
