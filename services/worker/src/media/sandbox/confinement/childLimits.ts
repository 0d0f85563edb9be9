/** Limits that the system enforces on a process and on all processes that it starts. */
export interface ChildLimits {
  /** Maximum address space. Unsuitable for Node, which reserves far more address space than it uses. */
  readonly addressSpaceBytes?: number;
  /** Total CPU time of the process, over its whole life. */
  readonly cpuSeconds?: number;
  readonly openFiles: number;
  /** Maximum size of each file that it writes. */
  readonly fileBytes?: number;
}

/** A program and its arguments. */
export type Command = readonly [file: string, ...args: string[]];

/**
 * Wraps a command to run within limits. If memory runs out, the system kills this process before the worker or the database. Uses the shell, which
 * every system has. Limits that a system does not support (address space on macOS) are skipped.
 */
export function limitCommand(command: Command, limits: ChildLimits): Command {
  const { addressSpaceBytes, cpuSeconds, openFiles, fileBytes } = limits;
  const bounds = [
    // No core dump: it would contain everything that the process has read.
    '-c 0',
    `-n ${openFiles}`,
    ...(addressSpaceBytes === undefined ? [] : [`-v ${Math.floor(addressSpaceBytes / 1024)}`]),
    ...(cpuSeconds === undefined ? [] : [`-t ${cpuSeconds}`]),
    // In blocks of 512 bytes (POSIX).
    ...(fileBytes === undefined ? [] : [`-f ${Math.floor(fileBytes / 512)}`]),
  ];
  const set = bounds.map((bound) => `ulimit ${bound}`);
  return [
    '/bin/sh',
    '-c',
    `{ echo 1000 >/proc/self/oom_score_adj; ${set.join('; ')}; unset PWD OLDPWD SHLVL; } 2>/dev/null; exec "$@"`,
    'sh',
    ...command,
  ];
}
