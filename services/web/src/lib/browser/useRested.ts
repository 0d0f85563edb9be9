import { useEffect, useState } from 'react';

/** A value as it is once it has not changed for `ms` milliseconds: what is typed is asked for when nobody types. */
export const useRested = <Value>(value: Value, ms: number): Value => {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
};
