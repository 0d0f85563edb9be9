import { Autocomplete } from '@base-ui/react/autocomplete';
import { Search } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type InputHTMLAttributes, type RefObject } from 'react';
import { useReadablePage } from '../../../lib/browser/useReadablePage.ts';
import type { Offer } from './matches.ts';
import { MatchItem } from './MatchItem.tsx';
import { listRecentSearches } from './recentSearches.ts';
import styles from './SearchBox.module.css';
import { useMatches } from './useMatches.ts';

interface Props {
  readonly userId: string;
  readonly text: string;
  readonly onTextChange: (text: string) => void;
  readonly onOpen: (offer: Offer) => void;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  /** True if the plain field had focus when this one was mounted. */
  readonly hasFocusAtFirst: boolean;
  /** Plain field that this one replaced. */
  readonly plainField: RefObject<HTMLInputElement | undefined>;
  readonly inputProps: InputHTMLAttributes<HTMLInputElement>;
}

/** Search field with suggestions. Takes over focus and text selection from the plain field. */
export const OfferingField = (props: Props) => {
  const { userId, text, onTextChange, onOpen, inputRef, hasFocusAtFirst, plainField, inputProps } = props;
  const box = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const [isWanted, setIsWanted] = useState(hasFocusAtFirst);
  // In a layout effect, before the next key press of a user who is typing.
  useLayoutEffect(() => {
    if (!hasFocusAtFirst) return;
    inputRef.current?.focus();
    const { selectionStart = null, selectionEnd = null } = plainField.current ?? {};
    inputRef.current?.setSelectionRange(selectionStart, selectionEnd);
  }, [hasFocusAtFirst, inputRef, plainField]);
  const matches = useMatches(text);
  const offers: readonly Offer[] =
    text.trim() === '' ? listRecentSearches(userId).map((name) => ({ kind: 'recent', name })) : matches;
  // An empty list would be announced, and the next Escape would close an invisible popup.
  const isOpen = isWanted && offers.length > 0;
  useReadablePage(isOpen);
  return (
    <Autocomplete.Root
      mode="none"
      items={offers}
      itemToStringValue={({ name }: Offer) => name}
      value={text}
      onValueChange={(value, { reason }) => {
        if (reason !== 'item-press') onTextChange(value);
      }}
      openOnInputClick
      open={isOpen}
      onOpenChange={setIsWanted}
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
              {(offer: Offer) => <MatchItem key={keyOf(offer)} offer={offer} onChoose={() => onOpen(offer)} />}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
};

const keyOf = (offer: Offer): string =>
  `${offer.kind}-${offer.kind === 'recent' ? offer.name : (offer.id ?? offer.value)}`;
