import { writeFixture } from './writeFixture.ts';

/*
 * npm run fixtures:database [-- 0.1.0]: writes the fixture `next`, or that of a release, with rows in every table. Run it before each release;
 * `npm run docs:schema` renews `next` after a change of a migration.
 */
await writeFixture(process.argv[2] ?? 'next');
