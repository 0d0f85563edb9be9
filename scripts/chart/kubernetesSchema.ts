/** A JSON schema, or a part of one, of a Kubernetes OpenAPI document or of a custom resource definition. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** The part of a Kubernetes OpenAPI document that is read. */
export interface OpenApiDocument {
  readonly definitions: Readonly<Record<string, Schema & KindOfDefinition>>;
}

interface KindOfDefinition {
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/** A schema that stands alone: what it refers to lies in its `definitions`. */
export type StandaloneSchema = Schema & { readonly definitions?: Readonly<Record<string, Schema>> };

/**
 * The schema of a kind, on its own and strict: a field that Kubernetes does not know is an error, as for `kubectl --validate=strict`. Descriptions are left out.
 * @throws Error where the document has no such kind
 */
export const schemaOfKind = (document: OpenApiDocument, apiVersion: string, kind: string): StandaloneSchema => {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  const found = Object.entries(document.definitions).find(([, definition]) =>
    definition['x-kubernetes-group-version-kind']?.some(
      (each) => each.group === group && each.version === version && each.kind === kind,
    ),
  );
  if (found === undefined) throw new Error(`the document has no ${apiVersion} ${kind}`);
  const definitions = new Map<string, Schema>();
  const collect = (schema: Schema): Schema =>
    strict(schema, (reference) => {
      const name = reference.split('/').at(-1)!;
      if (!definitions.has(name)) {
        // Set before it is known, since some definitions refer to themselves.
        definitions.set(name, {});
        definitions.set(name, special[name] ?? collect(document.definitions[name]!));
      }
      return { $ref: `#/definitions/${name}` };
    });
  const top = collect(found[1]);
  return { ...top, definitions: Object.fromEntries([...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
};

/** The schema of a version of a custom resource, strict likewise. */
export const schemaOfCustomResource = (schema: Schema): StandaloneSchema => {
  const top = strict(schema, () => ({}));
  // Whatever an object may have besides, the definition need not say.
  return { ...top, properties: { ...top.properties, metadata: { type: 'object' } } };
};

/** Types that JSON writes in more than one way. */
const special: Readonly<Record<string, Schema>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: 'string' },
      namespace: { type: 'string' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      annotations: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
};

/** A schema with what is checked and nothing else; `refer` answers for each reference. */
const strict = (schema: Schema, refer: (reference: string) => Schema): Schema => {
  if (schema.$ref !== undefined) return refer(schema.$ref);
  if (schema['x-kubernetes-int-or-string']) return { oneOf: [{ type: 'string' }, { type: 'integer' }] };
  const each = (below: Schema): Schema => strict(below, refer);
  const { type, properties, additionalProperties, items, required, enum: values, oneOf, minimum, maximum } = schema;
  const { minItems, maxItems, pattern, 'x-kubernetes-preserve-unknown-fields': isOpen } = schema;
  const isMap = typeof additionalProperties === 'object';
  return {
    ...(type !== undefined && { type }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, below]) => [name, each(below)])),
    }),
    ...(isMap && { additionalProperties: each(additionalProperties) }),
    ...(properties !== undefined && !isMap && !isOpen && { additionalProperties: false }),
    ...(items !== undefined && { items: each(items) }),
    ...(required !== undefined && { required }),
    ...(values !== undefined && { enum: values }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(each) }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
    ...(pattern !== undefined && { pattern }),
  };
};
