import { Autocomplete } from '@base-ui/react/autocomplete';
import { useRef, useState } from 'react';
import { focusContent } from '../../../lib/browser/focusContent.ts';
import { useReadablePage } from '../../../lib/browser/useReadablePage.ts';
import styles from './NameField.module.css';

/** Name field with suggestions. Enter, a chosen suggestion and blur save the name; Escape cancels. */
export const NameField = (props: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly suggestions: readonly string[];
  readonly onChange: (value: string) => void;
  readonly onCommit: (value: string) => void;
}) => {
  /** Last saved name. */
  const savedName = useRef(props.value);
  const isHighlighted = useRef(false);
  /** True while Escape blurs the field, to prevent a save. */
  const isCancelled = useRef(false);
  const below = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useReadablePage(isOpen);
  const commit = (value: string): void => {
    if (value === savedName.current) return;
    savedName.current = value;
    props.onCommit(value);
  };
  const handleKeyDown = (key: string): void => {
    // Enter on a suggestion chooses it.
    if (key === 'Enter' && !isHighlighted.current) focusContent();
    if (key !== 'Escape') return;
    props.onChange(savedName.current);
    isCancelled.current = true;
    focusContent();
    isCancelled.current = false;
  };
  return (
    <Autocomplete.Root
      items={props.suggestions}
      value={props.value}
      onValueChange={(value, { reason }) => {
        props.onChange(value);
        if (reason === 'item-press') commit(value);
      }}
      open={isOpen}
      onOpenChange={setIsOpen}
      onItemHighlighted={(name) => (isHighlighted.current = name !== undefined)}
    >
      <Autocomplete.Input
        aria-label={props.label}
        placeholder={props.placeholder}
        maxLength={255}
        className={styles['input']}
        onFocus={() => (savedName.current = props.value)}
        onBlur={() => {
          if (!isCancelled.current) commit(props.value);
        }}
        onKeyDown={({ key }) => handleKeyDown(key)}
      />
      <div ref={below} className={styles['below']} />
      <Autocomplete.Portal container={below}>
        <Autocomplete.Positioner sideOffset={4} className={styles['positioner']}>
          <Autocomplete.Popup className={styles['popup']}>
            <Autocomplete.List>
              {(name: string) => (
                <Autocomplete.Item key={name} value={name} className={styles['item']}>
                  {name}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
};
