const firstMs = 1000;
const mostMs = 60_000;

/**
 * How many milliseconds to wait after so many attempts in a row: twice as long each time, up to a minute, and anything from half of it to all of
 * it, so that many clients of a server that comes back do not come at once. Never earlier than the server asked for.
 */
export const retryDelayMs = (attempts: number, retryAfterSeconds: number | undefined, random: number): number => {
  const whole = Math.min(mostMs, firstMs * 2 ** attempts);
  return Math.max((retryAfterSeconds ?? 0) * 1000, Math.round(whole * (0.5 + random / 2)));
};
