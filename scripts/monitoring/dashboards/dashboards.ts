import { api } from './api.ts';
import type { Dashboard } from './dashboard.ts';
import { operator } from './operator.ts';
import { overview } from './overview.ts';
import { queues } from './queues.ts';

export const dashboards: readonly Dashboard[] = [overview, api, queues, operator];
