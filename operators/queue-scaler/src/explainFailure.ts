/** Advice by the codes of listening. The messages of the errors name the address. */
const advices: Readonly<Record<string, string>> = {
  EADDRINUSE: 'end the other program, or set HEARTH_METRICS_PORT',
  EADDRNOTAVAIL: 'this machine does not have the address: correct HEARTH_METRICS_HOST',
  EACCES: 'set HEARTH_METRICS_PORT to a port above 1023',
};

/** The messages of an error and of its causes, and what to do, in one line; like that of the API and the workers, whose code the image lacks. */
export const explainFailure = (error: unknown): string => {
  const messages: string[] = [];
  let advice: string | undefined;
  for (let next = error; next instanceof Error && messages.length < 20; next = next.cause) {
    const { message, code = '' } = next as NodeJS.ErrnoException;
    messages.push(message || code);
    advice = advices[code] ?? advice;
  }
  return [messages.join(': ') || String(error), ...(advice === undefined ? [] : [advice])].join('; ');
};
