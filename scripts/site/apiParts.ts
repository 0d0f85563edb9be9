import { makeSamples, createSiteDocument } from './siteDocument.ts';
import type { ApiDocument, Operation } from './apiDocument.ts';
import { toAnchor, renderMeaning, renderType, type ListedField } from './schemaText.ts';

/** An operation with its method and path. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Everything that the pages are rendered from. */
export const document = createSiteDocument() as unknown as ApiDocument;
export const { components, tags } = document;
export const calls: readonly Call[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);
export const listCallsOfTag = (tag: string): readonly Call[] =>
  calls.filter(({ operation }) => operation.tags[0] === tag);

/** Returns the id of an operation's page, such as `library/list-media-items`. */
export const getPageId = ({ operation }: Call): string =>
  `${operation.tags[0]}/${operation.operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Returns the names of the schemas that a schema refers to, directly or through other schemas. */
const listReferences = (schema: unknown, found = new Set<string>()): ReadonlySet<string> => {
  for (const [, ref = ''] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(ref)) continue;
    found.add(ref);
    listReferences(components.schemas[ref], found);
  }
  return found;
};

/** The tag of each schema: the first one with an operation that uses it in a response or a request body. */
export const tagOfSchema = new Map<string, string>();
for (const { name } of tags) {
  for (const { operation } of listCallsOfTag(name)) {
    for (const schema of listReferences([operation.responses, operation.requestBody?.content ?? {}]))
      if (!tagOfSchema.has(schema)) tagOfSchema.set(schema, name);
  }
}

export const linkTo = (schema: string): string =>
  schema === 'Error' ? '/api/#errors' : `/api/${tagOfSchema.get(schema)}/#${toAnchor(schema)}`;

/** Renders the start of a page, with the components that it uses. */
export const frontMatter = (values: Readonly<Record<string, unknown>>): string =>
  [
    '---',
    ...Object.entries({ ...values, custom_edit_url: null }).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    '---',
    "import Tabs from '@theme/Tabs';",
    "import TabItem from '@theme/TabItem';",
    "import TryIt from '@site/src/components/tryIt/TryIt';",
  ].join('\n');

/** Renders a method as a badge, and its path. */
export const renderRoute = ({ method, path }: Pick<Call, 'method' | 'path'>): string =>
  `<span className="apiMethod apiMethod-${method}">${method.toUpperCase()}</span> \`${path}\``;

/** Renders the samples of an operation as tabs. */
export const renderSamples = (operationId: Operation['operationId']): string =>
  [
    '<Tabs groupId="language" lazy>',
    ...makeSamples(operationId).flatMap(({ lang, label, source }) => [
      `<TabItem value="${lang}" label="${label}">`,
      `\`\`\`${{ Shell: 'bash', TypeScript: 'ts', Python: 'python' }[lang]}\n${source}\n\`\`\``,
      '</TabItem>',
    ]),
    '</Tabs>',
  ].join('\n\n');

/** Renders parameters or fields as a list of definitions. */
export const renderFields = (fields: readonly ListedField[]): string =>
  fields.length === 0
    ? ''
    : [
        '<dl className="apiFields">',
        ...fields.map(({ path, isRequired, schema, place }) => {
          const notes = [
            ...(isRequired ? ['required'] : []),
            ...(place === undefined || place === 'query' ? [] : [place]),
          ];
          const type = `<span className="apiType">${escape(renderType(schema, linkTo))}${notes.map((note) => `, ${note}`).join('')}</span>`;
          return `<dt>\`${path}\` ${type}</dt>\n\n<dd>\n\n${escape(renderMeaning(schema))}\n\n</dd>`;
        }),
        '</dl>',
      ].join('\n\n');

/** Escapes text that MDX would parse as a tag or an expression. Code between backticks stays unchanged. */
export const escape = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[{}<]/g, String.raw`\$&`)))
    .join('');
