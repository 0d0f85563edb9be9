import { writeFile } from 'node:fs/promises';
import { renderTypes, typesFile } from './renderTypes.ts';

// npm run crd:types -w operators/queue-scaler: generates src/api/queueScaler.ts from the CRD.
await writeFile(typesFile, await renderTypes());
