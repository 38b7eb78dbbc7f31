import { type ClaimDecision, type DeviceClaim, decide } from '@sonnenwarte/contract/device-claims/device-claims';
import { type Action, actionsOf } from '../blocks/actions/actions.tsx';
import { sidesOf } from './claim-words.ts';

const { opens, table } = actionsOf<DeviceClaim>();

const decision = (decision: ClaimDecision): Action<DeviceClaim> =>
  opens(
    decide,
    async () => {
      const { ClaimQuestion } = await import('./claim-question.tsx');
      return (props) => <ClaimQuestion {...props} decision={decision} />;
    },
    { label: (claim, t) => t(`device-claims.action.${decision}`, sidesOf(t, claim)) },
  );

/** What can be decided of a claim. */
export const claimActions = table(
  'device-claims',
  { nameOf: ({ deviceSN }) => deviceSN },
  { keep: decision('keep'), release: decision('release'), separate: decision('separate') },
);
