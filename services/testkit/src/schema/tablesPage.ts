import { queryOnce } from '../database/postgres.ts';

/** The classes of tables, see [Note: Classes of tables], each with what it means for who restores, repairs or deletes. */
const classes = {
  Truth:
    'What nothing else can tell: it is backed up, and nothing may remove it but its owner or a rule that is written down.',
  Derived:
    'What can be made of truth again, by SQL or by a component: triggers and workers keep it, and the housekeeper checks and repairs counts.',
  Machine: 'What running processes note for one another: without it a library is whole.',
} as const;

type Class = keyof typeof classes;

interface Table {
  readonly name: string;
  readonly comment: string | null;
  /** The tables that this table refers to. */
  readonly references: readonly string[];
}

/** The page about the tables of the database, as Markdown. */
export const renderTablesPage = async (url: string): Promise<string> => {
  const tables = (await queryOnce<Table>(url, findTables)).map(({ name, comment, references }) => {
    const [, found = '', sentence = ''] = /^(\w+): ([^]*)$/.exec(comment ?? '') ?? [];
    if (!(found in classes))
      throw new Error(`the comment of ${name} begins with none of ${Object.keys(classes).join(', ')}`);
    return { name, references, of: found as Class, sentence: sentence.charAt(0).toUpperCase() + sentence.slice(1) };
  });
  const inClasses = Object.entries(classes).map(([of, meaning]) => ({
    of,
    meaning,
    tables: tables.filter((each) => each.of === of),
  }));
  return `<!-- Made of the migrations by npm run docs:schema: change the comments of tables there. -->

# The database

The tables, as \`services/core/migrations\` makes them. Every table and every column has a sentence in the database itself (\`comment on\`); the comment of a
table begins with its class. [schema.sql](../../../services/core/schema.sql) has all of it with indexes, functions and triggers, and
\`services/core/src/db/tables.ts\` the types of rows. A test fails where one of the three is not what the migrations make.

\`\`\`mermaid
flowchart LR
  accDescr: The tables in their classes, with an arrow for each foreign key
${inClasses.map((each) => `  subgraph ${each.of}\n${each.tables.map(({ name }) => `    ${name}\n`).join('')}  end`).join('\n')}
${tables.flatMap(({ name, references }) => references.filter((to) => to !== 'users').map((to) => `  ${name} --> ${to}`)).join('\n')}
\`\`\`

An arrow is a foreign key. Those to \`users\` are left out: ${tables
    .filter(({ references }) => references.includes('users'))
    .map(({ name }) => `\`${name}\``)
    .join(', ')} have one.

${inClasses
  .map(
    ({ of, meaning, tables: those }) =>
      `## ${of}\n\n${meaning}\n\n${those.map(({ name, sentence }) => `- \`${name}\`: ${sentence}`).join('\n')}\n`,
  )
  .join('\n')}`;
};

const findTables = `
  select relname as name, obj_description(pg_class.oid, 'pg_class') as comment, array(
    select distinct confrelid::regclass::text from pg_constraint
    where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid order by 1
  ) as references
  from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%' order by relname collate "C"`;
