/**
 * The program of an inference child. It is a separate process, so that a model that uses too much memory, hangs or
 * crashes does not affect the worker. The end of the process also frees all memory. Only `inferenceProcess.ts` starts
 * it. The messages are defined in `inferenceProtocol.ts`.
 */
import { writeFileSync } from 'node:fs';
import { MissingModelError } from '../store/missingModel.ts';
import type {
  Findings,
  InferenceMessage,
  InferenceRequest,
  InferenceSettings,
  Subject,
  TaskName,
} from './inferenceProtocol.ts';
import { openSessions } from './sessions.ts';
import { tasks } from './tasks.ts';

const settings = JSON.parse(process.argv[2]!) as InferenceSettings;

// Ctrl-C reaches the whole process group. The parent decides whether to finish active work.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// The parent has exited or was killed. Takes effect after the current model run, which blocks this thread.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
preferAsOomVictim();

const sessions = await openSessions(settings);
process.on('message', (request: InferenceRequest) => void respond(request).then(sendMessage));
sendMessage({ kind: 'ready', provider: sessions.provider });

async function respond(request: InferenceRequest): Promise<InferenceMessage> {
  try {
    return { kind: 'found', value: await perform(request) };
  } catch (error) {
    if (error instanceof MissingModelError) return { kind: 'missing', text: error.message };
    return { kind: 'failure', text: error instanceof Error ? error.message : String(error) };
  }
}

/** Typed so that each task gets its kind of subject. */
function perform<Name extends TaskName>({
  task,
  subject,
}: {
  task: Name;
  subject: Subject<Name>;
}): Promise<Findings[Name]> {
  return tasks[task](sessions, subject);
}

function sendMessage(message: InferenceMessage): void {
  process.send!(message);
}

/** Makes the Linux OOM killer choose this process before the worker or the database. */
function preferAsOomVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not permitted.
  }
}
