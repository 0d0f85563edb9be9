import { writeFileSync } from 'node:fs';
import { listGenerated } from './generated.ts';

// npm run docs:monitoring: writes the dashboards of the chart, and the pages on metrics and alerts.
for (const [path, text] of listGenerated()) writeFileSync(path, text);
