import { isDeepStrictEqual } from 'node:util';
import type { Content, Document, Operation, Parameter, Response } from './document.ts';
import { findLosses } from './findLosses.ts';
import type { Schema } from './schema.ts';
import { inAnswer, inRequest } from './sayLoss.ts';

/** What of a change breaks a client: a sentence in which `%` stands for the request. */
type Break = string;

/**
 * What a client that was written by the old document finds broken by the new one: a sentence for each, which says for whom. None for a
 * change that no such client notices.
 */
export const findBreaks = (old: Document, now: Document): string[] => {
  const present = operationsOf(now);
  const byBreak = new Map<Break, string[]>();
  for (const [key, { name, path, operation }] of operationsOf(old)) {
    const breaks = breaksOf(operation, present.get(key)?.operation, isThere(present, path));
    for (const each of new Set(breaks)) byBreak.set(each, [...(byBreak.get(each) ?? []), name]);
  }
  return [...byBreak].map(([each, names]) => each.replace('%', list(names)));
};

interface NamedOperation {
  readonly name: string;
  readonly path: string;
  readonly operation: Operation;
}

/** How a parameter is called in a path does not matter to who calls it. */
const operationsOf = ({ paths }: Document): Map<string, NamedOperation> =>
  new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const name = `${method.toUpperCase()} ${path}`;
        return [name.replaceAll(/\{\w+\}/g, '{}'), { name, path: path.replaceAll(/\{\w+\}/g, '{}'), operation }];
      }),
    ),
  );

const isThere = (operations: ReadonlyMap<string, NamedOperation>, path: string): boolean =>
  [...operations.values()].some((each) => each.path === path);

const breaksOf = (old: Operation, now: Operation | undefined, isPathThere: boolean): Break[] => {
  if (now === undefined) return [`A client that calls % will be answered ${isPathThere ? 405 : 404}.`];
  return [
    ...(old.operationId === now.operationId
      ? []
      : [`A client made from the document finds % as ${now.operationId}, and no longer as ${old.operationId}.`]),
    ...signInBreaks(old, now),
    ...parameterBreaks(old.parameters ?? [], now.parameters ?? []),
    ...bodyBreaks(old, now),
    ...Object.entries(old.responses).flatMap(([status, response]) =>
      answerBreaks(status, response, now.responses[status]),
    ),
    ...Object.keys(now.responses)
      .filter((status) => status.startsWith('2') && !(status in old.responses))
      .map((status) => `A client that knows the successes of % meets a new one, ${status}.`),
  ];
};

const signInBreaks = (old: Operation, now: Operation): Break[] => {
  if (now.security.length === 0) return [];
  if (old.security.length === 0) return ['A client that calls % without signing in will be refused.'];
  return old.security
    .filter((way) => !now.security.some((each) => isDeepStrictEqual(each, way)))
    .map((way) => `A client that signs in for % by ${Object.keys(way).join(' and ')} will be refused.`);
};

/** Those of a path are known by their places, the others by their names. */
const parameterBreaks = (old: readonly Parameter[], now: readonly Parameter[]): Break[] => {
  const [before, present] = [byPlace(old), byPlace(now)];
  return [
    ...[...present].flatMap(([key, { required }]) =>
      required === true && before.get(key)?.required !== true
        ? [`A client that calls % without \`${key}\` will be refused.`]
        : [],
    ),
    ...[...before].flatMap(([key, { schema }]) => {
      const same = present.get(key);
      if (same === undefined) return [`A client that sends \`${key}\` to % will not be heard.`];
      return inputBreaks(schema, same.schema, key).concat(defaultBreaks(schema, same.schema, key));
    }),
  ];
};

const byPlace = (parameters: readonly Parameter[]): Map<string, Parameter> => {
  const inPath = parameters.filter((each) => each.in === 'path');
  return new Map(
    parameters.map((each) => [each.in === 'path' ? `path.${inPath.indexOf(each)}` : `${each.in}.${each.name}`, each]),
  );
};

const defaultBreaks = (old: Schema, now: Schema, key: string): Break[] =>
  isDeepStrictEqual(old.default, now.default)
    ? []
    : [`A client that calls % without \`${key}\` gets ${say(now.default)} where it got ${say(old.default)}.`];

const bodyBreaks = ({ requestBody: old }: Operation, { requestBody: now }: Operation): Break[] => {
  const isNeeded = now?.required === true && old?.required !== true;
  return [
    ...(isNeeded ? ['A client that calls % without a body will be refused.'] : []),
    ...Object.entries(old?.content ?? {}).flatMap(([type, { schema = {} }]) => {
      const same = now?.content[type];
      if (now === undefined) return ['A client that sends a body to % will not be heard.'];
      if (same === undefined) return [`A client that sends ${type} to % will be refused.`];
      return inputBreaks(schema, same.schema ?? {}, 'body');
    }),
  ];
};

const inputBreaks = (old: Schema, now: Schema, at: string): Break[] =>
  findLosses(old, now, 'request', at).map((loss) => inRequest(loss));

const answerBreaks = (status: string, old: Response, now: Response | undefined): Break[] => {
  if (now === undefined) return [`A client that waits for ${status} of % no longer gets it.`];
  const headers = Object.entries(old.headers ?? {}).flatMap(([name, { schema, required }]) => {
    const same = now.headers?.[name];
    if (same === undefined) return [inAnswer({ at: name, kind: 'unknown' }, status)];
    const missing = required === true && same.required !== true ? [{ at: name, kind: 'missing' as const }] : [];
    return [...missing, ...findLosses(same.schema, schema, 'response', name)].map((loss) => inAnswer(loss, status));
  });
  return [...headers, ...contentBreaks(status, old.content ?? {}, now.content ?? {})];
};

const contentBreaks = (status: string, old: Content, now: Content): Break[] =>
  Object.entries(old).flatMap(([type, { schema = {} }]) => {
    const same = now[type];
    if (same === undefined) return [`A client that reads ${type} in the ${status} of % no longer gets it.`];
    return findLosses(same.schema ?? {}, schema, 'response', '').map((loss) => inAnswer(loss, status));
  });

const say = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** How many requests a sentence names. */
const maxNamed = 3;

const list = (names: readonly string[]): string => {
  const rest = names.length - maxNamed;
  return rest > 0 ? `${names.slice(0, maxNamed).join(', ')} and ${rest} more` : names.join(' and ');
};
