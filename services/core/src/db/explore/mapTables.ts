import type { GeneratedAlways } from 'kysely';

interface MapColumns {
  user_id: string;
  cell: number;
  n: number;
  latitude_e7: number;
  longitude_e7: number;
}

export interface MapCellTable extends MapColumns {
  level: number;
}

export interface MapDeltaTable extends MapColumns {
  id: GeneratedAlways<number>;
}
