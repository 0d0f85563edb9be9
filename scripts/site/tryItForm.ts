import { isJsonBody, type Route } from '@hearth/contract/defineRoute.ts';
import { exampleVariables } from '@hearth/contract/examples.ts';
import type { Operation } from './apiDocument.ts';

/** Describes the form that sends requests to an operation: a `TryItOperation` of `docs/src/components/tryIt`. */
export const buildTryItForm = (
  { method, path, operation }: { readonly method: string; readonly path: string; readonly operation: Operation },
  route: Route,
) => {
  const { auth, body, example = {} } = route;
  const { json, file } = {
    json: body === undefined || !isJsonBody(body) ? undefined : JSON.stringify(example.body ?? {}, undefined, 2),
    file: body === undefined || isJsonBody(body) ? undefined : 'binary' in body ? body.binary : 'form',
  };
  const given = { ...example.params, ...example.query, ...example.headers };
  const fields = (operation.parameters ?? []).map(({ name, in: place, required = false, schema }) => {
    const value = given[name] ?? (name === 'id' ? '$ITEM' : '');
    const [, variable] = /^\$([A-Z_]+)$/.exec(value) ?? [];
    return {
      name,
      place,
      isRequired: required,
      value: variable === undefined ? value : '',
      hint: variable === undefined ? '' : exampleVariables[variable as keyof typeof exampleVariables],
      options: (schema.enum ?? (schema.const === undefined ? [] : [schema.const])).map(String),
    };
  });
  // A signed link is sent as a whole.
  if (auth === 'link' && example.link !== undefined)
    return { method: method.toUpperCase(), path: '', access: auth, fields: [linkField] };
  return {
    method: method.toUpperCase(),
    path,
    access: auth,
    fields,
    ...(json !== undefined && { json }),
    ...(file !== undefined && { file }),
  };
};

const linkField = {
  name: 'link',
  place: 'link',
  isRequired: true,
  value: '',
  hint: 'a URL from a media item, such as `sourceUrl`',
  options: [],
};
