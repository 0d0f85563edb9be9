import { useId } from 'react';
import styles from './Meter.module.css';

/** A bar that shows how much of a limited resource is used, with a label above and details below. */
export const Meter = (props: {
  readonly value: number;
  readonly max: number;
  readonly label: string;
  readonly details: string | undefined;
}) => {
  const id = useId();
  return (
    <div className={styles['meter']}>
      <p id={id}>{props.label}</p>
      <div
        role="meter"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={props.max}
        aria-valuenow={props.value}
        className={styles['track']}
      >
        <div className={styles['indicator']} style={{ width: `${(100 * props.value) / Math.max(1, props.max)}%` }} />
      </div>
      {props.details !== undefined && <p className={styles['details']}>{props.details}</p>}
    </div>
  );
};
