import { writeFileSync } from 'node:fs';
import { listGenerated } from './generated.ts';

// npm run docs:monitoring: writes the chart's dashboards and the pages with metrics and alerts.
for (const [path, text] of listGenerated()) writeFileSync(path, text);
