import { writeFileSync } from 'node:fs';
import { listReferencePages } from './pages.ts';

// npm run docs:reference: writes the generated reference pages of the guide.
for (const [path, text] of listReferencePages()) writeFileSync(path, text);
