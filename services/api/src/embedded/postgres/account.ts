import { existsSync, readFileSync, statSync } from 'node:fs';

/** A system user that programs are run as instead of root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user that PostgreSQL has to run as. `undefined`: the user of this process, where that is not root. PostgreSQL refuses to run as root;
 * then it is the owner of the database directory if there is one, else the user `nobody`.
 */
export const findAccount = (directory: string): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  if (!existsSync(setpriv)) {
    throw new Error(
      `PostgreSQL refuses to run as root, and ${setpriv} (package util-linux), which starts it as another user, is missing: ` +
        'run Hearth as an ordinary user',
    );
  }
  const owner = statSync(directory, { throwIfNoEntry: false });
  return owner === undefined || owner.uid === 0 ? nobody() : { uid: owner.uid, gid: owner.gid };
};

/**
 * The command line that runs `program` as `account`, in the same process. The program may still pass through folders that only root may
 * enter, such as /root, where the data directory and the checkout usually are when root starts Hearth.
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
          // initdb looks for its programs by access(2), which without this bit ignores the capabilities of every user but root.
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
