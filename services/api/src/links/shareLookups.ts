/**
 * Merges lookups of one id. Callers that ask while a lookup runs share the next one, which begins after they asked, so that no caller gets an
 * older answer. If the running lookup fails, they get its error.
 */
export const shareLookups = <Answer>(look: (id: string) => Promise<Answer>): ((id: string) => Promise<Answer>) => {
  const running = new Map<string, Promise<Answer>>();
  const waiting = new Map<string, Promise<Answer>>();
  const begin = (id: string): Promise<Answer> => {
    const answer = look(id).finally(() => running.get(id) === answer && running.delete(id));
    running.set(id, answer);
    return answer;
  };
  return (id) => {
    const current = running.get(id);
    if (current === undefined) return begin(id);
    const shared = waiting.get(id) ?? current.finally(() => waiting.delete(id)).then(() => begin(id));
    waiting.set(id, shared);
    return shared;
  };
};
