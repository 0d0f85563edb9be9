import { Meter as BaseMeter } from '@base-ui/react/meter';
import styles from './Meter.module.css';

/** Usage bar of a limited resource, with a label above and details below. */
export const Meter = (props: {
  readonly value: number;
  readonly max: number;
  readonly label: string;
  readonly details: string | undefined;
}) => (
  <BaseMeter.Root value={props.value} max={props.max} className={styles['meter']}>
    <BaseMeter.Label>{props.label}</BaseMeter.Label>
    <BaseMeter.Track className={styles['track']}>
      <BaseMeter.Indicator className={styles['indicator']} />
    </BaseMeter.Track>
    {props.details !== undefined && <p className={styles['details']}>{props.details}</p>}
  </BaseMeter.Root>
);
