import type { Generated, GeneratedAlways } from 'kysely';

/** An attempt to sign in, as it counts against one subject. */
export interface LoginAttemptTable {
  id: string;
  subject: Buffer;
  is_pending: boolean;
  at: Date;
}

/** An account beside a network from which it signed in lately. */
export interface KnownNetworkTable {
  subject: Buffer;
  at: Date;
}

/** What has happened around signing in, accounts and shares. */
export interface AuditTable {
  id: GeneratedAlways<number>;
  at: Generated<Date>;
  action: string;
  actor: string;
  user_id: string | null;
  subject: string | null;
  address: string | null;
  request_id: string | null;
}
