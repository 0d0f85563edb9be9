import { resourceCases } from '@hearth/testkit/objects/resourceCases.ts';
import { makeFolder } from '@hearth/testkit/objects/testFolder.ts';

resourceCases(makeFolder);
