import { readFileSync, writeFileSync } from 'node:fs';
import { readmePath, renderReadme, upgradePath, valuesPath } from './readme.ts';
import { renderValuesPage, valuesPagePath } from './valuesPage.ts';

// npm run docs:chart: writes the tables of values into the chart's README.md, and the page of the user guide on the chart.
const readme = readFileSync(readmePath, 'utf8');
const upgrade = readFileSync(upgradePath, 'utf8');
const values = readFileSync(valuesPath, 'utf8');
writeFileSync(readmePath, renderReadme(readme, values));
writeFileSync(valuesPagePath, renderValuesPage({ readme, upgrade, values }));
