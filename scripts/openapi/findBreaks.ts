import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '@hearth/testkit/run/tools.ts';

/** File for oasdiff with the changes that it considers harmless but that break our clients. */
const severities = join(import.meta.dirname, 'severities.txt');

/**
 * Compares two OpenAPI documents with oasdiff and returns a line for each change that breaks a client of the old one.
 * @throws Error if oasdiff is missing or cannot read a document
 */
export const findBreaks = (old: string, now: string): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-openapi-'));
  try {
    const [before, after] = [join(folder, 'old.json'), join(folder, 'now.json')];
    writeFileSync(before, prepareDocument(old));
    writeFileSync(after, prepareDocument(now));
    const args = ['breaking', '--format=json', `--severity-levels=${severities}`, '--allow-external-refs=false'];
    const { status, stdout, stderr } = spawnSync(toolPath('oasdiff'), [...args, before, after], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`oasdiff failed (${status}): ${stderr}`);
    const changes = JSON.parse(stdout) as readonly { operation: string; path: string; text: string }[];
    return changes.map(({ operation, path, text }) => `${operation} ${path}: ${text}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/**
 * Rewrites what oasdiff does not support:
 * - Lists marked with `x-extensible`: enum strings become plain strings, and kinds of events become optional properties.
 *   New values are then not reported as breaking.
 * - Descriptions are emptied. Otherwise, a reworded one would make an unnamed member of a union a new member.
 */
const prepareDocument = (document: string): string =>
  JSON.stringify(
    JSON.parse(document, (key, value: unknown) => {
      if (key === 'description' && typeof value === 'string') return '';
      if (!isOpenList(value)) return value;
      const { enum: _words, anyOf: kinds, ...rest } = value;
      if (kinds === undefined) return rest;
      return {
        type: 'object',
        properties: Object.fromEntries(kinds.map((kind) => [kind.properties.event.const, kind])),
      };
    }),
  );

/** A schema with `x-extensible`: a string with `enum`, or a union of events. */
interface OpenList {
  readonly enum?: readonly string[];
  readonly anyOf?: readonly { readonly properties: { readonly event: { readonly const: string } } }[];
}

const isOpenList = (value: unknown): value is OpenList =>
  (value as { 'x-extensible'?: unknown } | null)?.['x-extensible'] === true;
