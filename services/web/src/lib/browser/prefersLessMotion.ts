/** Whether the person at this device has asked for less motion: then nothing begins to move that was not told to. */
export const prefersLessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
