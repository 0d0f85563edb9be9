/** What of Hearth's secrets can be told from any other text, by its name: what tests give, and what has a form of its own. */
const forms: Readonly<Record<string, RegExp>> = {
  "a test's password or secret": /the-keepers-password|a (?:token|link) secret for tests/,
  'a hash of a password': /\$argon2id\$v=/,
  'an access token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/,
  'the signature of a link': /[?&]signature=[\w-]{20,}/,
  'the id of a shared album': /\/v1\/sharing\/[0-9a-f]{8}-[0-9a-f]{4}-/i,
};

/** The kind of secret that a text holds, as processes must never write one; undefined for none that is known by its form. */
export const findLeak = (text: string): string | undefined =>
  Object.entries(forms).find(([, form]) => form.test(text))?.[0];
