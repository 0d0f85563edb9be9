import { openInference } from '@hearth/inference/inference.ts';
import { testSettings } from '@hearth/testkit/models/testModels.ts';

// Prints the stand-in model's embedding of each argument, one JSON array of 512 numbers per line.
const inference = openInference({
  settings: testSettings,
  timeoutMs: 60_000,
  idleMs: 60_000,
  memoryLimitBytes: 500_000_000,
  onProvider: () => undefined,
});
for (const text of process.argv.slice(2))
  process.stdout.write(`${JSON.stringify([...(await inference.embedText('concept-lite', text)).vector])}\n`);
await inference.close();
