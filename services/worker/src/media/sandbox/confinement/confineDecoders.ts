import { resolve } from 'node:path';
import { exitCodes } from '@hearth/core/config/configureProcess.ts';
import type { Log } from '@hearth/core/log/log.ts';
import { metrics } from '@hearth/core/metrics/metrics.ts';
import type { WorkerConfig } from '@hearth/core/config/workerConfig.ts';
import { openConfinement, type Confinement, type ConfinementKind } from './confinement.ts';

/** Log lines, which describe what a compromised decoder can access. */
const descriptions: Readonly<Record<ConfinementKind, string>> = {
  bubblewrap: 'decoders run in a sandbox',
  landlock: 'decoders run in a sandbox, but may signal other processes of this user',
  none: 'decoders run without a sandbox: a malicious file may act as this user; install bubblewrap',
};

/** Explains why the worker does not start, and how to fix it. Kubernetes shows the text as the termination message, of up to 2,048 bytes. */
const explainRefusal = (
  reasons: readonly string[],
): string => `HEARTH_CONFINEMENT is "required", but this machine cannot sandbox decoders: ${reasons.join('; ').slice(0, 1_000)}
Use Linux 5.13 or newer with landlock in /sys/kernel/security/lsm, or let bubblewrap create user namespaces.
HEARTH_CONFINEMENT=off (in the chart, worker.confinement: off) starts the worker without a sandbox. Risk: a malicious photo or video
can then read all originals and the secrets of the worker, change the database, and connect to the network.
`;

/**
 * Confines the programs that open untrusted files as far as this system supports it. Reports the result in one log line and a metric. Exits if
 * confinement is required and unavailable.
 */
export async function confineDecoders(
  { confinement: requested, dataDirectory, exiftool }: WorkerConfig,
  scratchDirectory: string,
  log: Log,
): Promise<Confinement> {
  const confinement = await openConfinement({
    dataDirectory: resolve(dataDirectory),
    scratchDirectory,
    exiftool,
    kinds: requested === 'off' ? [] : undefined,
  });
  const { kind, failures } = confinement;
  metrics.decoderConfinement.set({ kind }, 1);
  if (kind === 'none' && requested === 'required') {
    process.stderr.write(explainRefusal(failures));
    process.exit(exitCodes.badConfiguration);
  }
  log[kind === 'none' ? 'warn' : 'info'](
    { confinement: kind, ...(failures.length > 0 && { weaker: failures }) },
    descriptions[kind],
  );
  return confinement;
}
