import { Pencil } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import styles from './EditableText.module.css';

/** A text that is changed where it stands: a click or Enter on it begins, Enter or leaving it keeps, Escape gives up. */
export const EditableText = (props: {
  readonly value: string;
  /** What the text is, for the field. */
  readonly label: string;
  /** What a click does. */
  readonly editLabel: string;
  /** Shown while there is no text. */
  readonly placeholder?: string;
  readonly maxLength: number;
  /** A text of several lines; Enter begins a new one. */
  readonly isLong?: boolean;
  readonly onChange: (value: string) => void;
}) => {
  const { value, isLong = false } = props;
  const [typed, setTyped] = useState<string>();
  /** Whether the field was left by a key: then the focus stays here. */
  const isLeftByKey = useRef(false);
  const finish = (): void => {
    if (typed !== undefined && typed.trim() !== value) props.onChange(typed.trim());
    setTyped(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isGivenUp = event.key === 'Escape';
    const isKept = event.key === 'Enter' && !(isLong && !event.ctrlKey && !event.metaKey);
    if (!isGivenUp && !isKept) return;
    event.preventDefault();
    isLeftByKey.current = true;
    if (isKept) finish();
    else setTyped(undefined);
  };

  if (typed === undefined)
    return (
      <button
        ref={(button) => {
          if (isLeftByKey.current) button?.focus();
          isLeftByKey.current = false;
        }}
        type="button"
        className={[styles['shown'], value === '' ? styles['placeholder'] : ''].join(' ')}
        title={props.editLabel}
        onClick={() => setTyped(value)}
      >
        <span className={styles['text']}>{value === '' ? props.placeholder : value}</span>
        <Pencil aria-hidden size={16} className={styles['icon']} />
      </button>
    );
  const Field = isLong ? 'textarea' : 'input';
  return (
    <Field
      ref={focusAtEnd}
      className={styles['field']}
      aria-label={props.label}
      value={typed}
      maxLength={props.maxLength}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={onKeyDown}
    />
  );
};

function focusAtEnd(field: HTMLInputElement | HTMLTextAreaElement | null): void {
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
}
