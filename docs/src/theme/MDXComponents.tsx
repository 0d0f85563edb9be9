import MDXComponents from '@theme-original/MDXComponents';
import type { ComponentProps, ReactNode } from 'react';
import { InTable } from '../components/InTable';
import { ThemedChart, ThemedPicture } from '../components/ThemedPicture';

/** A table that is wider than the page is scrolled in itself, for which the keyboard has to reach it. */
const Table = (props: ComponentProps<'table'>): ReactNode => (
  <InTable value={true}>
    <table tabIndex={0} {...props} />
  </InTable>
);

/** The first cell of many tables is empty: then it is the header of nothing. */
const HeaderCell = (props: ComponentProps<'th'>): ReactNode =>
  props.children === undefined ? <td style={props.style} /> : <th {...props} />;

export default { ...MDXComponents, ThemedChart, ThemedPicture, table: Table, th: HeaderCell };
