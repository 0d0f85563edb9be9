import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

const checkout = join(import.meta.dirname, '../../..');

/** The repository that the guide's `git clone` reaches. */
export interface Origin {
  /** Variables that make git use it instead of the address in the guide. */
  readonly variables: Readonly<Record<string, string>>;
  /** Commits a version with one more migration. */
  publishNextVersion(): void;
}

const address = 'https://github.com/hearth-photos/hearth.git';

/** The migration of the upgrade tests. */
const migration = '9000_next_version.sql';

/** Creates a repository from the commits of this checkout. */
export const makeOrigin = (folder: string): Origin => {
  const repository = join(folder, 'origin.git');
  git('clone', '--quiet', '--bare', checkout, repository);
  const inside = (...args: readonly string[]): string => git('--git-dir', repository, ...args);
  inside('update-ref', 'refs/heads/main', inside('rev-parse', 'HEAD').trim());
  inside('symbolic-ref', 'HEAD', 'refs/heads/main');
  return {
    variables: {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${repository}.insteadOf`,
      GIT_CONFIG_VALUE_0: address,
    },
    publishNextVersion: () => {
      const next = join(folder, 'next');
      git('clone', '--quiet', repository, next);
      const path = join('services/core/migrations', migration);
      copyFileSync(join(import.meta.dirname, '../next', migration), join(next, path));
      git('-C', next, 'add', path);
      const author = ['-c', 'user.name=Hearth', '-c', 'user.email=hearth@example.org'];
      git('-C', next, ...author, 'commit', '--quiet', '--message', 'core/migrations: add the next version');
      git('-C', next, 'push', '--quiet');
    },
  };
};

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' });
