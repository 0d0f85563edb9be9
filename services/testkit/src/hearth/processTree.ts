import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendSignal } from '../servers/childProcesses.ts';

/** Identifies a process even after its pid is reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot, from `/proc/<pid>/stat`. */
  readonly startedAt: string;
  /** Command line, with spaces as separators, when the process was last seen alive. */
  readonly command: string;
}

/** Options of tests that watch processes. */
export const needsLinux = { skip: process.platform === 'linux' ? false : 'requires /proc' } as const;

/** The adopted processes and all their descendants, including orphans. */
export interface ProcessTree {
  /** Adds a process and all its descendants to the tree. */
  adopt(pid: number): ProcessIdentity;
  /** Returns the running processes of the tree. */
  living(): ProcessIdentity[];
  /** Returns the running process of the tree with this pid, if any. */
  find(pid: number): ProcessIdentity | undefined;
  listChildren(parent: ProcessIdentity): ProcessIdentity[];
  /** Sends a signal to a process of the tree. Returns false if it has ended, even if its pid is reused. */
  signal(member: ProcessIdentity, signal: NodeJS.Signals): boolean;
  /** Waits up to `timeoutMs` until all processes have ended, and returns those still running. */
  waitForEnd(timeoutMs: number): Promise<ProcessIdentity[]>;
  /** Kills all running processes, and stops watching. */
  kill(): Promise<void>;
  /** Stops watching without ending the processes. */
  stopWatching(): void;
}

/**
 * Watches `/proc` for descendants. May miss a process that lives for less than `intervalMs` and has no children. Zombies
 * count as ended.
 */
export const watchProcessTree = (intervalMs = 200): ProcessTree => {
  const members = new Map<string, ProcessIdentity>();
  /** Processes outside the tree. They never become part of it, so skipping them makes a scan much faster. */
  const outsiders = new Set<number>();
  let scannedAt = 0;
  const scan = (): Map<number, ProcessStat> => {
    // Pids are not reused within this time.
    if (performance.now() - scannedAt > maxTrustedMs) outsiders.clear();
    scannedAt = performance.now();
    const pids = new Set(listPids());
    for (const pid of outsiders) if (!pids.has(pid)) outsiders.delete(pid);
    const read = [...pids.difference(outsiders)].flatMap((pid) => readStat(pid) ?? []);
    const stats = new Map(read.map((stat) => [stat.pid, stat]));
    const isMember = ({ pid, startedAt }: ProcessStat): boolean => members.has(`${pid} ${startedAt}`);
    const isInTree = (stat: ProcessStat | undefined): boolean => {
      if (stat === undefined) return false;
      if (isMember(stat)) return true;
      if (!isInTree(stats.get(stat.parentPid))) return false;
      addMember(identify(stat));
      return true;
    };
    for (const stat of read) if (!isInTree(stat)) outsiders.add(stat.pid);
    return stats;
  };
  const addMember = (identity: ProcessIdentity): ProcessIdentity => {
    members.set(`${identity.pid} ${identity.startedAt}`, identity);
    return identity;
  };
  const living = (): ProcessIdentity[] => {
    const stats = scan();
    return (
      [...members.values()]
        .filter(({ pid, startedAt }) => stats.get(pid)?.startedAt === startedAt)
        // Between fork and exec a child still has the command line of its parent.
        .map((member) => addMember({ ...member, command: readCommand(member.pid) || member.command }))
    );
  };
  const find = (pid: number): ProcessIdentity | undefined => living().find((member) => member.pid === pid);
  const timer = setInterval(scan, intervalMs).unref();
  const stopWatching = (): void => clearInterval(timer);
  const waitForEnd: ProcessTree['waitForEnd'] = async (timeoutMs) => {
    const giveUpAt = Date.now() + timeoutMs;
    while (living().length > 0 && Date.now() < giveUpAt) await sleep(50);
    return living();
  };
  return {
    adopt: (pid) => {
      outsiders.clear();
      const stat = readStat(pid);
      return stat === undefined ? { pid, startedAt: 'never', command: '' } : addMember(identify(stat));
    },
    living,
    find,
    listChildren: (parent) => {
      const stats = scan();
      return living().filter(({ pid }) => stats.get(pid)?.parentPid === parent.pid);
    },
    signal: signalTo,
    waitForEnd,
    kill: async () => {
      for (const member of living()) signalTo(member, 'SIGKILL');
      await waitForEnd(10_000);
      stopWatching();
    },
    stopWatching,
  };
};

/** Returns true if a process with this pid exists. */
export const isRunning = (pid: number): boolean => {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
};

const signalTo: ProcessTree['signal'] = ({ pid, startedAt }, signal) =>
  readStat(pid)?.startedAt === startedAt && sendSignal(pid, signal);

interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  readonly startedAt: string;
}

/** Time in ms during which Linux reuses no pid under any load, because there are at least 32,768 pids. */
const maxTrustedMs = 1_000;

const listPids = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);

/** Reads fields 3 (state), 4 (parent) and 22 (start) of proc_pid_stat(5). The name before them may contain spaces and parentheses. */
const readStat = (pid: number): ProcessStat | undefined => {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parentPid, startedAt] = [fields[0], Number(fields[1]), fields[19]];
  if (startedAt === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, parentPid, startedAt };
};

const identify = ({ pid, startedAt }: ProcessStat): ProcessIdentity => ({ pid, startedAt, command: readCommand(pid) });

const readCommand = (pid: number): string => readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();

/** Reads a file of `/proc`; empty if its process has just ended. */
export const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
