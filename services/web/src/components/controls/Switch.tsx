import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { useId, type ReactNode } from 'react';
import styles from './Switch.module.css';

export const Switch = (props: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}) => {
  const id = useId();
  return (
    <div className={styles['row']}>
      <div>
        <span id={`${id}-label`} className={styles['label']}>
          {props.label}
        </span>
        {props.hint !== undefined && (
          <p id={`${id}-hint`} className={styles['hint']}>
            {props.hint}
          </p>
        )}
      </div>
      <BaseSwitch.Root
        className={styles['switch']}
        checked={props.isOn}
        disabled={props.isDisabled}
        onCheckedChange={props.onChange}
        aria-labelledby={`${id}-label`}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
      >
        <BaseSwitch.Thumb className={styles['thumb']} />
      </BaseSwitch.Root>
    </div>
  );
};
