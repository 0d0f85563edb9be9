/** The part of a structural schema that the types are generated from. */
export interface Schema {
  readonly description?: string;
  readonly type: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * Generates TypeScript for objects from the API server. The server fills in defaults, so only fields without a default
 * may be missing.
 */
export const describeTypes = (name: string, schema: Schema): string => {
  const interfaces: string[] = [];
  addInterface(interfaces, name, schema);
  return interfaces.join('\n');
};

const addInterface = (interfaces: string[], name: string, schema: Schema): void => {
  const { description = '', properties = {}, required = [] } = schema;
  const index = interfaces.push('') - 1;
  const lines = Object.entries(properties).flatMap(([key, property]) => {
    const isPresent = property.default !== undefined || required.includes(key);
    const comment = property.description === undefined ? [] : [`  /** ${property.description} */`];
    const type = renderType(interfaces, name + capitalize(key), property);
    return comment.concat(`  readonly ${key}${isPresent ? '' : '?'}: ${type};`);
  });
  interfaces[index] = [`/** ${description} */`, `export interface ${name} {`, ...lines, '}', ''].join('\n');
};

const renderType = (interfaces: string[], name: string, schema: Schema): string => {
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ');
  switch (schema.type) {
    case 'array':
      return `readonly ${renderType(interfaces, name.replace(/s$/, ''), schema.items ?? { type: 'object' })}[]`;
    case 'integer':
      return 'number';
    case 'object':
      addInterface(interfaces, name, schema);
      return name;
    default:
      return schema.type;
  }
};

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
