import type { UserCreate } from '@hearth/contract/users.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';
import type { Person } from './person.ts';

/** What a story is given. */
export interface Stage extends KnownInstallation {
  /** Makes an account, which is deleted when the story is over, and signs in. */
  newPerson(account?: Pick<UserCreate, 'quotaBytes' | 'features'>): Promise<Person>;
}

/** Whether an installation has FFmpeg, without which it opens no videos: an image that is handed on has none (`docs/docs/dev-guide/images.md`). */
export type Ffmpeg = 'with' | 'without';

/** What somebody does with the library over HTTP, and what they have to see. It throws where they see anything else. */
export interface Story {
  /** A sentence without its full stop. */
  readonly name: string;
  /** Of which installations it is told; of all unless given. */
  readonly ffmpeg?: Ffmpeg;
  readonly play: (stage: Stage) => Promise<void>;
}
