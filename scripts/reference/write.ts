import { writeFileSync } from 'node:fs';
import { listReferencePages } from './pages.ts';

// npm run docs:reference: writes the pages of the guide that are made of the code.
for (const [path, text] of listReferencePages()) writeFileSync(path, text);
