import { Autocomplete } from '@base-ui/react/autocomplete';
import { Search } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type InputHTMLAttributes, type RefObject } from 'react';
import { useReadablePage } from '../../../lib/browser/useReadablePage.ts';
import type { Suggestion } from './matches.ts';
import { MatchItem } from './MatchItem.tsx';
import { listRecentSearches } from './recentSearches.ts';
import styles from './SearchBox.module.css';
import { useMatches } from './useMatches.ts';

interface Props {
  readonly userId: string;
  readonly text: string;
  readonly onTextChange: (text: string) => void;
  readonly onOpen: (suggestion: Suggestion) => void;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  /** True if the plain field had focus when this one was mounted. */
  readonly initialFocus: boolean;
  /** Plain field that this one replaced. */
  readonly plainField: RefObject<HTMLInputElement | undefined>;
  readonly inputProps: InputHTMLAttributes<HTMLInputElement>;
}

/** Search field with suggestions. Takes over focus and text selection from the plain field. */
export const SuggestingField = (props: Props) => {
  const { userId, text, onTextChange, onOpen, inputRef, initialFocus, plainField, inputProps } = props;
  const box = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const [isListRequested, setIsListRequested] = useState(initialFocus);
  // A layout effect, so that it runs before the next key press of a user who is typing.
  useLayoutEffect(() => {
    if (!initialFocus) return;
    inputRef.current?.focus();
    const { selectionStart = null, selectionEnd = null } = plainField.current ?? {};
    inputRef.current?.setSelectionRange(selectionStart, selectionEnd);
  }, [initialFocus, inputRef, plainField]);
  const matches = useMatches(text);
  const suggestions: readonly Suggestion[] =
    text.trim() === '' ? listRecentSearches(userId).map((name) => ({ kind: 'recent', name })) : matches;
  // An empty list would be announced, and the next Escape would close an invisible popup.
  const isOpen = isListRequested && suggestions.length > 0;
  useReadablePage(isOpen);
  return (
    <Autocomplete.Root
      mode="none"
      items={suggestions}
      itemToStringValue={({ name }: Suggestion) => name}
      value={text}
      onValueChange={(value, { reason }) => {
        if (reason !== 'item-press') onTextChange(value);
      }}
      openOnInputClick
      open={isOpen}
      onOpenChange={setIsListRequested}
    >
      <div ref={box} className={styles['box']}>
        <Search aria-hidden size={20} strokeWidth={1.75} />
        <Autocomplete.Input ref={inputRef} {...inputProps} />
      </div>
      {/* Next to the box, so that a screen reader reaches the suggestions right after it. */}
      <div ref={below} />
      <Autocomplete.Portal container={below}>
        <Autocomplete.Positioner anchor={box} sideOffset={8} className={styles['positioner']}>
          <Autocomplete.Popup className={styles['popup']}>
            <Autocomplete.List>
              {(suggestion: Suggestion) => (
                <MatchItem key={getKey(suggestion)} suggestion={suggestion} onChoose={() => onOpen(suggestion)} />
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
};

const getKey = (suggestion: Suggestion): string =>
  `${suggestion.kind}-${suggestion.kind === 'recent' ? suggestion.name : (suggestion.id ?? suggestion.value)}`;
