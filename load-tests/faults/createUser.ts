import type { Credentials } from './hearth.ts';

/** Makes a user by the administrator's route, as on an installation without a first one. */
export const createUser = async (url: string, admin: Credentials, username = 'family'): Promise<Credentials> => {
  const user = { username, password: 'the-password-of-the-family' };
  const response = await fetch(new URL('/v1/users', url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`,
    },
    body: JSON.stringify({ name: 'Family', ...user }),
  });
  if (response.status !== 201) throw new Error(`POST /v1/users answers ${response.status} ${await response.text()}`);
  return user;
};
