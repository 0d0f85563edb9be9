import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../../controls/IconButton.tsx';
import styles from './Arrow.module.css';

/** A button at an edge of the stage that shows the neighbour on that side; without one it stays, so that the focus does, but does nothing. */
export const Arrow = (props: {
  readonly side: 'previous' | 'next';
  readonly label: string;
  readonly onShow: (() => void) | undefined;
}) => (
  <IconButton
    icon={props.side === 'previous' ? ChevronLeft : ChevronRight}
    label={props.label}
    onPicture
    className={[styles['arrow'], styles[props.side]].join(' ')}
    disabled={props.onShow === undefined}
    focusableWhenDisabled
    onClick={props.onShow}
    data-control
  />
);
