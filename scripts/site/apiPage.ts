import { table } from '../reference/markdown.ts';
import { anchorOf, listFields, meaningText, typeText, type Schema } from './schemaText.ts';
import { createSiteDocument } from './siteDocument.ts';

interface Body {
  readonly description?: string;
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Body & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Body>>;
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly label: string; readonly source: string }[];
}

interface Document {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Body>>;
  };
}

/** An operation with its method and path. */
interface Route {
  readonly call: string;
  readonly operation: Operation;
}

/** Required credentials by security scheme. */
const asked: Readonly<Record<string, string>> = {
  bearer: 'the access token of a user',
  basic: 'name and password of the administrator',
  cookie: 'the cookie of a session',
};

/**
 * Renders the API reference as MDX from the server's OpenAPI document, so that it needs no OpenAPI viewer in the
 * browser.
 */
export const renderApi = (): string => {
  const document = createSiteDocument() as unknown as Document;
  const { info, paths, tags, components } = document;
  const [about = '', examples = ''] = info.description.split(/(?=## Examples)/);
  const routes: readonly Route[] = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
  const ofTag = (name: string): readonly Route[] => routes.filter(({ operation }) => operation.tags.includes(name));
  return [
    [
      '---',
      'title: API',
      'description: Every route of Hearth, with examples in curl and TypeScript.',
      '---',
      "import Tabs from '@theme/Tabs';",
      "import TabItem from '@theme/TabItem';",
    ].join('\n'),
    `# Hearth API ${info.version}`,
    escape(about),
    '[The document of OpenAPI 3.1](pathname:///openapi.json), of which this page is made; every server answers its own at `/openapi.json`.',
    '## Routes',
    ...tags.map(({ name }) =>
      table(
        [name, ''],
        ofTag(name).map(({ call, operation }) => [`\`${call}\``, `[${operation.summary}](#${operation.operationId})`]),
      ),
    ),
    escape(examples),
    ...tags.map(({ name, description }) =>
      [
        `## ${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        escape(description),
        ofTag(name)
          .map((route) => renderOperation(route, components.responses))
          .join('\n\n'),
      ].join('\n\n'),
    ),
    '## Schemas',
    ...Object.entries(components.schemas).map(([name, schema]) => renderSchema(name, schema)),
  ].join('\n\n');
};

const renderOperation = ({ call, operation }: Route, shared: Document['components']['responses']): string => {
  const { summary, operationId, description, security, parameters = [], requestBody } = operation;
  const schemes = security.flatMap((each) => Object.keys(each)).map((name) => asked[name] ?? name);
  return [
    `### ${summary} {#${operationId}}`,
    `\`${call}\``,
    [description ?? '', schemes.length === 0 ? 'Asks for nobody.' : `Asks for ${schemes.join(', or ')}.`]
      .map(escape)
      .join(' ')
      .trim(),
    ...(parameters.length === 0
      ? []
      : [
          fieldTable(
            'parameter',
            parameters.map(({ name, in: place, required = false, schema }) => ({
              path: name,
              isRequired: required,
              schema,
              place,
            })),
          ),
        ]),
    ...(requestBody === undefined ? [] : renderBody(requestBody)),
    ...renderAnswers(operation, shared),
    ...renderSamples(operation),
  ].join('\n\n');
};

/** Renders a table of the successful responses, and one line with all possible errors. */
const renderAnswers = ({ responses }: Operation, shared: Document['components']['responses']): readonly string[] => {
  const all = Object.entries(responses).map(([status, response]) => {
    const { description = '', content = {} } =
      response.$ref === undefined ? response : shared[response.$ref.split('/').at(-1)!]!;
    return { status, description, content };
  });
  const [good, bad] = [all.filter(({ status }) => status < '400'), all.filter(({ status }) => status >= '400')];
  const errors = bad.map(({ status, description }) => {
    const codes = [...description.matchAll(/`([A-Z_]+)`:/g)].map(([, code]) => `\`${code}\``);
    return `${status} ${codes.length === 0 ? escape(description) : codes.join(' or ')}`;
  });
  return [
    table(
      ['answer', 'when', 'body'],
      good.map(({ status, description, content }) => [
        status,
        description,
        Object.entries(content).map(describeContent).join(', '),
      ]),
    ),
    `[Errors](/docs/user-guide/reference/errors): ${errors.join(', ')}.`,
  ];
};

const describeContent = ([type, { schema }]: readonly [string, { readonly schema?: Schema }]): string =>
  type === 'application/json' && schema !== undefined ? typeText(schema) : `\`${type}\``;

const renderBody = ({ content = {}, required = false }: NonNullable<Operation['requestBody']>): readonly string[] =>
  Object.entries(content).map(([type, { schema }]) => {
    const isInline = schema?.properties !== undefined;
    const what = schema === undefined || isInline ? '' : `: ${typeText(schema)}`;
    const sentence = `The body is \`${type}\`${what}${required ? '' : ', or none'}.`;
    return isInline ? `${sentence}\n\n${fieldTable('field', listFields(schema))}` : sentence;
  });

const renderSamples = (operation: Operation): readonly string[] => [
  '<Tabs groupId="language" lazy>',
  ...operation['x-codeSamples'].flatMap(({ lang, label, source }) => [
    `<TabItem value="${lang}" label="${label}">`,
    `\`\`\`${lang === 'Shell' ? 'bash' : 'ts'}\n${source}\n\`\`\``,
    '</TabItem>',
  ]),
  '</Tabs>',
];

const renderSchema = (name: string, schema: Schema): string => {
  const fields = listFields(schema);
  return [
    `### ${name} {#${anchorOf(name)}}`,
    ...(schema.description === undefined ? [] : [escape(schema.description)]),
    fields.length === 0 ? `Is ${escape(typeText(schema))}.` : fieldTable('field', fields),
  ].join('\n\n');
};

const fieldTable = (
  title: string,
  fields: readonly (ReturnType<typeof listFields>[number] & { readonly place?: string })[],
): string =>
  table(
    [title, 'what it is', 'meaning'],
    fields.map(({ path, isRequired, schema, place }) => [
      `\`${path}\`${isRequired ? ', required' : ''}${place === undefined || place === 'query' ? '' : ` (in the ${place})`}`,
      typeText(schema),
      meaningText(schema),
    ]),
  );

/** Escapes text that MDX would parse as a tag or an expression. Code between backticks stays unchanged. */
const escape = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[{}<]/g, String.raw`\$&`)))
    .join('');
