import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawnCharts } from './drawChart.ts';

// npm run docs:charts: draws the charts of the benchmarks page from the published figures.
const folder = join(import.meta.dirname, '../../docs/docs/dev-guide/benchmarks');
for (const [file, svg] of await drawnCharts()) writeFileSync(join(folder, file), svg);
