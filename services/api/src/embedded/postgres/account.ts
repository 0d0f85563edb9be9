import { existsSync, readFileSync, statSync } from 'node:fs';

/** A system user to run programs as, instead of root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the user to run PostgreSQL as, or undefined for the user of this process. PostgreSQL refuses to run as root,
 * so root uses the owner of the database directory, or the user `nobody` if the directory does not exist.
 */
export const findAccount = (directory: string): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  if (!existsSync(setpriv)) {
    throw new Error(
      `PostgreSQL refuses to run as root, and ${setpriv} (package util-linux) is missing: install it, or ` +
        'run Hearth as an ordinary user',
    );
  }
  const owner = statSync(directory, { throwIfNoEntry: false });
  return owner === undefined || owner.uid === 0 ? nobody() : { uid: owner.uid, gid: owner.gid };
};

/**
 * Builds the command line that runs `program` as `account`, in the same process. The program can still traverse folders
 * of root such as /root, which often contains the checkout and the data directory.
 */
export const commandAs = (account: Account | undefined, program: string, args: readonly string[]): [string, string[]] =>
  account === undefined
    ? [program, [...args]]
    : [
        setpriv,
        [
          `--reuid=${account.uid}`,
          `--regid=${account.gid}`,
          '--clear-groups',
          // initdb checks its programs with access(2), which otherwise ignores the capabilities of all users except
          // root.
          '--securebits=+no_setuid_fixup',
          '--inh-caps=-all,+dac_override',
          '--ambient-caps=-all,+dac_override',
          '--',
          program,
          ...args,
        ],
      ];

const setpriv = '/usr/bin/setpriv';

const nobody = (): Account => {
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (entry === null) throw new Error('PostgreSQL refuses to run as root, and there is no user "nobody" to run it as');
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
};
