import { foldText } from './foldText.ts';
import type { Suggestion } from './useSuggestions.ts';

/** How many suggestions are shown at once. */
const maxShown = 8;

/** The suggestions that begin with what was typed, then those of which a later word does; none while nothing is typed. */
export const matchSuggestions = (typed: string, suggestions: readonly Suggestion[]): readonly Suggestion[] => {
  const wanted = foldText(typed.trim());
  if (wanted === '') return [];
  const rank = ({ name }: Suggestion): number => {
    const folded = foldText(name);
    if (folded.startsWith(wanted)) return 0;
    return folded.includes(` ${wanted}`) ? 1 : 2;
  };
  return suggestions
    .filter((suggestion) => rank(suggestion) < 2)
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
    .slice(0, maxShown);
};
