import { readFileSync, writeFileSync } from 'node:fs';
import { readmePath, renderReadme, valuesPath } from './readme.ts';

// npm run docs:chart: writes the table of values into the chart's README.md.
writeFileSync(readmePath, renderReadme(readFileSync(readmePath, 'utf8'), readFileSync(valuesPath, 'utf8')));
