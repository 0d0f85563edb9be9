import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleVariables } from '@hearth/contract/examples.ts';
import type { routes } from '@hearth/contract/routes.ts';
import { table } from '../reference/markdown.ts';
import {
  calls,
  listCallsOfTag,
  components,
  document,
  escape,
  frontMatter,
  getPageId,
  linkTo,
  renderFields,
  renderRoute,
  renderSamples,
  tagOfSchema,
  tags,
  type Call,
} from './apiParts.ts';
import { toVariableName } from './codeSamples.ts';
import { renderOperation } from './operationPage.ts';
import { buildExample } from './responseExample.ts';
import { toAnchor, listFields, renderType, type Schema } from './schemaText.ts';

/** Hand-written pages, with marks such as `<!-- routes -->` for generated parts. */
const handWritten = join(import.meta.dirname, '../../docs/api');

/** Lists the pages of the reference, by file name, and its sidebar. */
export const renderApi = (): { readonly pages: ReadonlyMap<string, string>; readonly sidebar: unknown } => ({
  pages: new Map([
    ...['introduction', 'authentication', 'samples'].map((name) => [`${name}.mdx`, renderWritten(name)] as const),
    ...tags.map(({ name, description }) => [`${name}/index.mdx`, renderTag(name, description)] as const),
    ...calls.map((call) => [`${getPageId(call)}.mdx`, renderOperation(call)] as const),
  ]),
  sidebar: { api: sidebar },
});

const getTitle = (tag: string): string => (tag === 'auth' ? 'Sign-in' : tag.charAt(0).toUpperCase() + tag.slice(1));

const sidebar = [
  'introduction',
  'authentication',
  'samples',
  ...tags.map(({ name }) => ({
    type: 'category',
    label: getTitle(name),
    link: { type: 'doc', id: `${name}/index` },
    items: listCallsOfTag(name).map((call) => ({
      type: 'doc',
      id: getPageId(call),
      className: `apiItem apiItem-${call.method}`,
    })),
  })),
  { type: 'link', label: 'Error codes', href: '/docs/user-guide/reference/errors' },
];

const renderWritten = (name: string): string => {
  const [, matter = '', text = ''] =
    /^---\n(.*?)---\n(.*)$/s.exec(readFileSync(join(handWritten, `${name}.md`), 'utf8')) ?? [];
  const generated: Readonly<Record<string, () => string>> = {
    routes: () =>
      tags.map((tag) => `### ${getTitle(tag.name)}\n\n${renderCalls(listCallsOfTag(tag.name))}`).join('\n\n'),
    variables: () =>
      table(
        ['Shell', 'TypeScript', 'Python', 'Value'],
        Object.entries(exampleVariables).map(([variable, meaning]) => [
          `\`$${variable}\``,
          `\`${toVariableName(variable)}\``,
          `\`${variable.toLowerCase()}\``,
          meaning,
        ]),
      ),
    error: () => {
      const error = components.schemas['Error']!;
      const example = JSON.stringify(buildExample(error, components.schemas), undefined, 2);
      return `\`\`\`json\n${example}\n\`\`\`\n\n${renderFields(listFields(error))}`;
    },
  };
  const filled = text
    .replace('API VERSION', `API ${document.info.version}`)
    .replaceAll('.md)', '.mdx)')
    .replaceAll(/<!-- sample: (\w+) -->/g, (_, id: keyof typeof routes) => renderSamples(id))
    .replaceAll(/<!-- (\w+) -->/g, (_, part: string) => generated[part]!());
  return `${frontMatter({})}\n\n${filled}`.replace(/^---\n/, () => `---\n${matter}`);
};

const renderTag = (tag: string, description: string): string => {
  const schemas = [...tagOfSchema].filter(([, each]) => each === tag).map(([name]) => name);
  return [
    frontMatter({ title: getTitle(tag), description }),
    `# ${getTitle(tag)}`,
    escape(description),
    renderCalls(listCallsOfTag(tag)),
    ...(schemas.length === 0 ? [] : ['## Objects']),
    ...schemas.map((name) => renderSchema(name, components.schemas[name]!)),
  ].join('\n\n');
};

/** Renders a list of operations with links to their pages. */
const renderCalls = (all: readonly Call[]): string =>
  [
    '<ul className="apiCalls">',
    ...all.map((call) => `<li>${renderRoute(call)} [${call.operation.summary}](/api/${getPageId(call)})</li>`),
    '</ul>',
  ].join('\n\n');

const renderSchema = (name: string, schema: Schema): string => {
  const fields = listFields(schema);
  return [
    `### ${name} {#${toAnchor(name)}}`,
    ...(schema.description === undefined ? [] : [escape(schema.description)]),
    fields.length === 0 ? `Type: ${escape(renderType(schema, linkTo))}.` : renderFields(fields),
  ].join('\n\n');
};
