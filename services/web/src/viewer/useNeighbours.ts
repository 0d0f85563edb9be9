import { useEffect, useState } from 'react';
import type { MediaSource } from '../media/mediaSource.ts';
import { loadAround, neighboursOf, type Neighbours } from './item/neighbours.ts';

/** An item's place in its list, with more of the list loaded where that ends nearby. An item that leaves the list keeps its neighbours while it is shown. */
export const useNeighbours = (id: string, source: MediaSource): Neighbours => {
  const found = neighboursOf(id, source);
  const [last, setLast] = useState({ id, found });
  const isListed = found.item !== undefined;
  if (isListed && (last.id !== id || !isSame(last.found, found))) setLast({ id, found });
  useEffect(() => loadAround(id, source), [id, source]);
  if (isListed || last.id !== id) return found;
  const listed = (neighbour: string | undefined) => source.items.find((item) => item.id === neighbour);
  return { ...found, previous: listed(last.found.previous?.id), next: listed(last.found.next?.id) };
};

function isSame(a: Neighbours, b: Neighbours): boolean {
  return a.previous?.id === b.previous?.id && a.next?.id === b.next?.id && a.item?.id === b.item?.id;
}
