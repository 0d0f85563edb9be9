/** How long something plays: `0:07`, `12:30`, `1:02:03`. */
export const playingTime = (seconds: number): string => {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const end = two(whole % 60);
  return minutes < 60 ? `${minutes}:${end}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${end}`;
};

function two(value: number): string {
  return String(value).padStart(2, '0');
}
