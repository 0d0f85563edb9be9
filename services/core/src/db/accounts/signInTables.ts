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

/** A device on which somebody has signed in. */
export interface SessionTable {
  id: string;
  user_id: string;
  family_hash: Buffer | null;
  refresh_token_hash: Buffer;
  previous_token_hash: Buffer | null;
  successor_salt: Buffer | null;
  refreshed_at: Date | null;
  device: string | null;
  network: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
}
