/**
 * The program of an inference child: a process of its own, so that a model that swells, hangs or crashes takes no worker along, and so that
 * all of its memory is given back when it ends. Only `inferenceProcess.ts` starts it. Their messages are in `inferenceProtocol.ts`.
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

// Ctrl-C reaches the whole process group: the parent decides whether what is under way is still finished.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// The parent is gone, whether it ended or was killed. A model that runs blocks this thread, so its end is waited for.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
sacrificeFirst();

const sessions = await openSessions(settings);
process.on('message', (request: InferenceRequest) => void answer(request).then(say));
say({ kind: 'ready', provider: sessions.provider });

async function answer(request: InferenceRequest): Promise<InferenceMessage> {
  try {
    return { kind: 'found', value: await perform(request) };
  } catch (error) {
    if (error instanceof MissingModelError) return { kind: 'missing', text: error.message };
    return { kind: 'failure', text: error instanceof Error ? error.message : String(error) };
  }
}

/** Each task gets the subject that belongs to it. */
function perform<Name extends TaskName>({
  task,
  subject,
}: {
  task: Name;
  subject: Subject<Name>;
}): Promise<Findings[Name]> {
  return tasks[task](sessions, subject);
}

function say(message: InferenceMessage): void {
  process.send!(message);
}

/** Makes Linux end this process before the worker or the database when memory runs out. */
function sacrificeFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed: then the system chooses by itself.
  }
}
