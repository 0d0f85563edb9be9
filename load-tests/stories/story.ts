import type { UserCreate } from '@hearth/contract/users.ts';
import type { Credentials } from '../harness/request.ts';
import type { Person } from './person.ts';

/** An installation that somebody runs, by what its users know of it. */
export interface KnownInstallation {
  /** Where it is reached from here, which need not be the address that people use. */
  readonly url: string;
  readonly admin: Credentials;
}

/** What a story is given. */
export interface Stage extends KnownInstallation {
  /** Makes an account, which is deleted when the story is over, and signs in. */
  newPerson(account?: Pick<UserCreate, 'quotaBytes' | 'features'>): Promise<Person>;
}

/** What somebody does with the library over HTTP, and what they have to see. It throws where they see anything else. */
export interface Story {
  /** A sentence without its full stop. */
  readonly name: string;
  readonly play: (stage: Stage) => Promise<void>;
}
