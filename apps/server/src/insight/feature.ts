import { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { featureOf } from '../feature.ts';
import type { Services } from '../services.ts';
import { degradationOf } from './degradation.service.ts';
import { devOpsList } from './dev-ops.service.ts';
import { dayEvidenceOf } from './evidence.service.ts';
import { pausePlant, resumePlant } from './pauses.service.ts';
import { oneAtATime, workOff } from './work-off.ts';

/** Plants held against what they could have given: losses, their reasons, and what was put off. */
export const feature = featureOf(
  insightEndpoints,
  {
    evidence: dayEvidenceOf,
    pause: pausePlant,
    resume: resumePlant,
    list: devOpsList,
    exportList: {
      find: devOpsList,
      own: {
        lossMoney: ({ lossMoney }) => (lossMoney === null ? null : Number(lossMoney)),
        reason: ({ reason }, { text }) => (reason === null ? '' : text(`insight.kind.${reason.kind}`)),
      },
    },
    degradation: degradationOf,
  },
  ({ jobs, ...stores }: Services) => {
    jobs.every(
      'insight.workOff',
      '* * * * *',
      oneAtATime((ending) => workOff({ ...stores, ending })),
    );
  },
);
