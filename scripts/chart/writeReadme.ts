import { writeFileSync } from 'node:fs';
import { renderChartPages } from './chartPages.ts';

// npm run docs:chart: writes the tables of values into the chart's README.md, and the chart page of the user guide.
for (const [path, text] of renderChartPages()) writeFileSync(path, text);
