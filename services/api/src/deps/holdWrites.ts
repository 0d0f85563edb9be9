import { markerKey } from '@hearth/core/objects/marker.ts';
import { StoreError } from '@hearth/core/objects/objectErrors.ts';
import type { ObjectStore } from '@hearth/core/objects/objects.ts';

/** The store, which takes nothing but the library's marker until `isChecked`: until then it may be the wrong one. */
export const holdWrites = (store: ObjectStore, isChecked: () => boolean): ObjectStore => {
  const unlessHeld = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    if (!isChecked()) throw new StoreError('the object store has not been checked yet');
    return write();
  };
  return {
    ...store,
    put: async (key, body, options) => {
      if (key === markerKey || isChecked()) return store.put(key, body, options);
      body.destroy();
      throw new StoreError('the object store has not been checked yet');
    },
    beginParts: (key) => unlessHeld(() => store.beginParts(key)),
    putPart: (...part) => unlessHeld(() => store.putPart(...part)),
    finishParts: (...write) => unlessHeld(() => store.finishParts(...write)),
  };
};
