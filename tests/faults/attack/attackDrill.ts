import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDrillAsProgram, type Drill } from '@hearth/testkit/hearth/drill.ts';
import { runAttackDrill } from './runAttackDrill.ts';
import { runFullDiskDrill } from './runFullDiskDrill.ts';
import { explainMissingNamespaces } from './smallDisk.ts';

/*
 * npm run drill:attack: one user sends everything designed to stop Hearth, `--rounds` times, while another user's
 * photos, lists and sign-ins must stay within their bounds. Then the first user fills the disk. `--keep` keeps the
 * logs, as a failure does.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    items: { type: 'string', default: '100000' },
    keep: { type: 'boolean', default: false },
  },
});
const attack: Drill = ({ directory, say }) =>
  runAttackDrill({
    directory: join(directory, 'attack'),
    items: Number(values.items),
    rounds: Number(values.rounds),
    files: { nested: 6, scanned: 12 },
    // Hearth accepts 256 connections per client address.
    noisyLoad: { searches: 20, slowBodies: 300, burst: 200 },
    photoEveryMs: 3_000,
    bounds: { ready: 5_000, list: 1_000, signIn: 5_000 },
    say,
  });
const fullDisk: Drill = ({ directory, say }) => runFullDiskDrill({ directory: join(directory, 'disk'), say });
const cannotFill = explainMissingNamespaces().skip;
if (cannotFill !== false) console.log(`skipped: full disk: ${cannotFill}`);
await runDrillAsProgram(cannotFill === false ? [attack, fullDisk] : [attack], values);
