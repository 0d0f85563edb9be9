import { writeFixture } from './storedFixtures.ts';

// npm run fixtures:database -- VERSION: writes the fixture of a release, for the tests of upgrades.
const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('npm run fixtures:database -- VERSION');
await writeFixture(version);
