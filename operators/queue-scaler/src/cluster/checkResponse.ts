/** Fields that are missing in a proxy's page or a truncated response. */
interface Checked {
  readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
  readonly spec?: object;
}

/**
 * Returns the object.
 * @param name the expected name; undefined accepts any
 * @throws Error if the resource version, the name or the required part is missing
 */
export const checkObject = <Item extends Checked>(item: Item, name?: string, part?: 'spec'): Item => {
  const { metadata, spec } = (item ?? {}) as Checked;
  const isNamed = typeof metadata?.name === 'string' && (name === undefined || metadata.name === name);
  const hasPart = part === undefined || (typeof spec === 'object' && spec !== null);
  if (isNamed && hasPart && typeof metadata.resourceVersion === 'string') return item;
  throw new Error(`the API server sent no valid object${name === undefined ? '' : ` for ${name}`}`);
};

/**
 * Returns the list.
 * @throws Error if it is not a list or contains an invalid object
 */
export const checkList = <List extends { readonly items: readonly Checked[] }>(list: List, part?: 'spec'): List => {
  const { items } = (list ?? {}) as Partial<List>;
  if (!Array.isArray(items)) throw new Error('the API server sent no valid list');
  for (const item of items as readonly Checked[]) checkObject(item, undefined, part);
  return list;
};
