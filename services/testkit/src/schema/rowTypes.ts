import {
  ArrayExpressionNode,
  GenericExpressionNode,
  IdentifierNode,
  PostgresDialect,
  serializeFromMetadata,
  type ColumnMetadata,
  type ExpressionNode,
  type Scalars,
  type TableMetadata,
} from 'kysely-codegen';
import { queryOnce } from '../database/postgres.ts';

/**
 * Types narrower than PostgreSQL's, for all columns with a name or for one column. Columns with a CHECK that lists their
 * values need no entry.
 */
const narrowTypes: Readonly<Record<string, string>> = {
  type: 'MediaItemType',
  category: 'MediaItemCategory',
  unpaired_category: 'MediaItemCategory',
  status: 'MediaItemStatus',
  visibility: 'Visibility',
  'collections.user_id': 'OwnerId',
  'component_runs.component': 'ComponentName',
  'component_runs.state': 'RunState',
  'faces.visibility': 'FaceVisibility',
  'jobs.components': 'ComponentName',
  'media_items.user_id': 'OwnerId',
  'users.features': 'JsonFeatures',
};

/** TypeScript type of the driver's values by PostgreSQL type, see `openDatabase`. */
const driverTypes: Readonly<Record<string, string>> = {
  int8: 'number',
  timestamptz: 'Date',
  timestamp: 'LocalTime',
  date: 'string',
  xid8: 'string',
  jsonb: 'object',
};

const [vocabulary, columnTypes] = ['@hearth/contract/vocabulary.ts', './columnTypes.ts'];

const customImports = {
  ComponentName: vocabulary,
  MediaItemCategory: vocabulary,
  MediaItemStatus: vocabulary,
  MediaItemType: vocabulary,
  RunState: vocabulary,
  JsonFeatures: columnTypes,
  LocalTime: columnTypes,
  OwnerId: columnTypes,
  FaceVisibility: columnTypes,
  Visibility: columnTypes,
  GeneratedAlways: 'kysely',
};

/** Renders the row types of all tables as TypeScript. */
export const renderRowTypes = async (url: string): Promise<string> => {
  const dialect = new PostgresDialect();
  const scalars: Scalars = dialect.adapter.scalars;
  for (const [name, type] of Object.entries(driverTypes)) scalars[name] = new IdentifierNode(type);
  const db = await dialect.introspector.connect({ connectionString: url, dialect });
  const metadata = await dialect.introspector.introspect({ db, excludePattern: 'kysely_*' });
  await db.destroy();
  const found = new Map((await queryOnce<FoundColumn>(url, findColumns)).map((column) => [column.path, column]));
  const overrides: Record<string, ExpressionNode> = {};
  const used = new Set<string>();
  for (const table of metadata.tables)
    for (const column of table.columns) {
      const path = `${table.name}.${column.name}`;
      const { values, isAlwaysGenerated } = found.get(path)!;
      column.enumValues = values;
      // Comments are in schema.sql. Here they would triple the number of lines.
      column.comment = null;
      const key = path in narrowTypes || values !== null ? path : column.name;
      const narrow = narrowTypes[key];
      if (narrow !== undefined) used.add(key);
      const type = narrow === undefined ? scalars[column.dataType] : new IdentifierNode(narrow);
      if (type !== undefined && (narrow !== undefined || isAlwaysGenerated))
        overrides[path] = wrap(column, type, isAlwaysGenerated);
    }
  const unmatched = Object.keys(narrowTypes).filter((key) => !used.has(key));
  if (unmatched.length > 0) throw new Error(`narrowTypes has unknown columns: ${unmatched.join(', ')}`);
  const types = serializeFromMetadata({ metadata, dialect, customImports, overrides: { columns: overrides } });
  return `${types}\n${renderColumns(metadata.tables)}`;
};

/** Tables with a generated list of columns. Statements name these columns, because they also read the covers. */
const listedTables: ReadonlySet<string> = new Set(['albums', 'people', 'places', 'things']);

const renderColumns = (tables: readonly TableMetadata[]): string => {
  const lines = tables
    .filter(({ name }) => listedTables.has(name))
    .map(({ name, columns }) => `  ${name}: ${JSON.stringify(columns.map((column) => column.name).toSorted())},`);
  return [
    '/** All columns of the tables that are read whole. */',
    'export const columns = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
};

const wrap = ({ isArray, hasDefaultValue }: ColumnMetadata, type: ExpressionNode, isAlwaysGenerated: boolean) => {
  const columnType = isArray ? new ArrayExpressionNode(type) : type;
  if (isAlwaysGenerated) return new GenericExpressionNode('GeneratedAlways', [columnType]);
  return hasDefaultValue ? new GenericExpressionNode('Generated', [columnType]) : columnType;
};

/** Column properties that the generator does not read. */
interface FoundColumn {
  readonly path: string;
  /** Values allowed by a CHECK. */
  readonly values: string[] | null;
  readonly isAlwaysGenerated: boolean;
}

const findColumns = `
  select format('%s.%s', relname, attname) as path, attidentity = 'a' or attgenerated <> '' as "isAlwaysGenerated", (
    select array_agg(value[1])
    from pg_constraint
    cross join pg_get_constraintdef(oid) as definition
    cross join regexp_matches(definition, '''([^'']*)''::text', 'g') as value
    where conrelid = attrelid and contype = 'c' and definition like format('CHECK ((%I = ANY (ARRAY[%%])))', attname)
  ) as values
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped`;
