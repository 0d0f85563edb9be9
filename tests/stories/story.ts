import type { UserCreate } from '@hearth/contract/users.ts';
import type { KnownInstallation } from '@hearth/testkit/hearth/knownInstallation.ts';
import type { StoryUser } from './storyUser.ts';

/** Context of a story. */
export interface StoryContext extends KnownInstallation {
  /** Creates an account, deleted after the story, and signs in. */
  createUser(account?: Pick<UserCreate, 'quotaBytes' | 'features'>): Promise<StoryUser>;
}

/**
 * Presence of FFmpeg in an installation, which videos need. Distributed images have none
 * (`docs/docs/dev-guide/images.md`).
 */
export type Ffmpeg = 'with' | 'without';

/** A user story: actions over HTTP with the expected results. It throws on any other result. */
export interface Story {
  /** A sentence without a full stop. */
  readonly name: string;
  /** Installations that the story applies to. Undefined means all. */
  readonly ffmpeg?: Ffmpeg;
  readonly play: (context: StoryContext) => Promise<void>;
}
