/** The limits that the system enforces on a process and on all processes that it starts. */
export interface ChildLimits {
  /** Bytes of address space. Not for Node, which reserves far more than it uses. */
  readonly addressSpaceBytes?: number;
  /** Seconds of processor time in its whole life. */
  readonly cpuSeconds?: number;
  readonly openFiles: number;
  /** Bytes of any file that it writes. */
  readonly fileBytes?: number;
}

/** A program and what it is called with. */
export type Command = readonly [file: string, ...args: string[]];

/**
 * A command that runs `command` within limits. When the machine runs out of memory, the system ends this process before the worker or the
 * database. It uses the shell, which every system has; limits that a system does not know (macOS: address space) are left out.
 */
export function limitCommand(command: Command, limits: ChildLimits): Command {
  const { addressSpaceBytes, cpuSeconds, openFiles, fileBytes } = limits;
  const bounds = [
    // No core file: it would hold everything that the process had read.
    '-c 0',
    `-n ${openFiles}`,
    ...(addressSpaceBytes === undefined ? [] : [`-v ${Math.floor(addressSpaceBytes / 1024)}`]),
    ...(cpuSeconds === undefined ? [] : [`-t ${cpuSeconds}`]),
    // Blocks of 512 bytes, says POSIX.
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
