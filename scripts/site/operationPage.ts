import type { Route } from '@hearth/contract/defineRoute.ts';
import { routes } from '@hearth/contract/routes.ts';
import type { Body, Operation } from './apiDocument.ts';
import {
  components,
  escape,
  frontMatter,
  linkTo,
  renderFields,
  renderRoute,
  renderSamples,
  type Call,
} from './apiParts.ts';
import { buildExample } from './responseExample.ts';
import { listFields, getRefName, renderType, type Schema } from './schemaText.ts';
import { buildTryItForm } from './tryItForm.ts';

/** Maximum number of response fields shown on the operation page. Larger schemas are on the tag page. */
const maxFields = 12;

/** Credentials by security scheme. */
const credentials: Readonly<Record<string, string>> = {
  bearer: 'an access token',
  basic: 'the administrator’s password',
  cookie: 'the cookie of a session',
};

/** Renders the page of an operation. */
export const renderOperation = (call: Call): string => {
  const { operation, method, path } = call;
  const { summary, description = '', parameters = [], requestBody, operationId } = operation;
  const route: Route = routes[operationId];
  const fields = parameters.map(({ name, in: place, required = false, schema }) => ({
    path: name,
    isRequired: required,
    schema,
    place,
  }));
  return [
    frontMatter({
      title: summary,
      description: `${method.toUpperCase()} ${path}: ${summary}.`,
      hide_table_of_contents: true,
    }),
    `# ${summary}`,
    '<div className="apiColumns">',
    '<div>',
    `<p className="apiRoute">${renderRoute(call)}</p>`,
    escape(description),
    renderAccess(route, operation),
    ...(fields.length === 0 ? [] : ['## Parameters', renderFields(fields)]),
    ...(requestBody === undefined ? [] : ['## Body', renderBody(requestBody)]),
    '## Response',
    ...renderResponses(operation),
    '## Errors',
    renderErrors(operation),
    '</div>',
    '<div className="apiPanel">',
    `<TryIt operation={${JSON.stringify(buildTryItForm(call, route))}} />`,
    '## Example request',
    renderSamples(operationId),
    ...renderExample(operation),
    '</div>',
    '</div>',
  ].join('\n\n');
};

const renderAccess = ({ auth }: Route, { security }: Operation): string => {
  if (auth === 'none') return 'Needs no [authentication](/api/authentication).';
  if (auth === 'link') return 'Needs a [signed link](/api/authentication#signed-links) instead of a header.';
  const names = security.flatMap((each) => Object.keys(each)).map((name) => credentials[name]!);
  return `Needs ${names.join(' or ')}: see [Authentication](/api/authentication).`;
};

const resolve = (body: Body): Body => (body.$ref === undefined ? body : components.responses[getRefName(body.$ref)]!);

const renderResponses = ({ responses }: Operation): readonly string[] =>
  Object.entries(responses)
    .filter(([status]) => status < '400')
    .flatMap(([status, { description = '', content = {}, headers = {} }]) => {
      const types = Object.entries(content).map(([type, { schema }]) =>
        type === 'application/json' && schema !== undefined ? renderType(schema, linkTo) : `\`${type}\``,
      );
      const fields = Object.entries(headers)
        .filter(([name]) => name !== 'X-Request-Id')
        .map(([name, { $ref }]) => {
          const { description: meaning, schema } = components.headers[getRefName($ref)]!;
          return { path: name, isRequired: false, schema: { ...schema, description: meaning }, place: 'header' };
        });
      const named = content['application/json']?.schema;
      const inner = named?.$ref === undefined ? [] : listFields(components.schemas[getRefName(named.$ref)]!);
      return [
        `<p><strong>${status}</strong> ${escape(description)} ${types.length === 0 ? '' : `Body: ${types.join(', ')}.`}</p>`,
        renderFields(inner.length > maxFields ? [] : inner),
        renderFields(fields),
      ];
    });

const renderErrors = ({ responses }: Operation): string => {
  const rows = Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, body]) =>
      [...(resolve(body).description ?? '').matchAll(/`([A-Z_]+)`: (.*?\.)(?= `|$)/g)].map(
        ([, code = '', message = '']) => `<dt>${status} \`${code}\`</dt>\n\n<dd>${escape(message)}</dd>`,
      ),
    );
  return ['<dl className="apiFields">', ...rows, '</dl>'].join('\n\n');
};

const renderBody = ({ content = {}, required = false }: NonNullable<Operation['requestBody']>): string =>
  Object.entries(content)
    .map(([type, { schema = {} }]) => {
      const object = schema.$ref === undefined ? schema : components.schemas[getRefName(schema.$ref)]!;
      const about = object.description === undefined ? '' : ` ${escape(object.description)}`;
      return `\`${type}\`${required ? '' : ', optional'}.${about}\n\n${renderFields(listFields(object))}`;
    })
    .join('\n\n');

/** Renders the example of the first response with a body. */
const renderExample = ({ responses }: Operation): readonly string[] => {
  const [status, body] = Object.entries(responses)[0]!;
  const { 'application/json': json, 'text/event-stream': stream } = body.content ?? {};
  if (stream !== undefined) {
    const event = [
      'event: mediaItem',
      'id: 1207',
      `data: ${JSON.stringify(buildExample(eventSchema, components.schemas))}`,
    ];
    return ['## Example response', `\`\`\`text title="${status} text/event-stream"\n${event.join('\n')}\n\`\`\``];
  }
  if (json?.example === undefined) return [];
  return [
    '## Example response',
    `\`\`\`json title="${status} application/json"\n${JSON.stringify(json.example, undefined, 2)}\n\`\`\``,
  ];
};

const eventSchema: Schema = { $ref: '#/components/schemas/MediaItemEvent' };
