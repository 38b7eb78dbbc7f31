import type { RouteName } from '@sonnenwarte/contract/routes';
import type { ReactNode } from 'react';
import { ApiError } from '../../client/failures.ts';
import { useRouteLabel } from '../../tabs/route-label.ts';
import { replaceTab } from '../../tabs/workspace.ts';
import { ErrorNotice } from './error-notice.tsx';
import { isPlainClick, ScreenLink } from './screen-link.tsx';
import { TitledScreen } from './titled-screen.tsx';

interface UnreadRecordProps {
  error: unknown;
  retry: () => void;
  /** The screen that lists such records. */
  list: RouteName;
}

/** A record that could not be read. Where the server refused it, it may be gone: the list can take the place of its tab. */
export function UnreadRecord({ error, retry, list }: UnreadRecordProps): ReactNode {
  const label = useRouteLabel();
  return (
    <TitledScreen>
      <ErrorNotice error={error} retry={retry} />
      {error instanceof ApiError && (
        <p>
          <ScreenLink
            to={list}
            onClick={(event) => {
              if (!isPlainClick(event)) return;
              event.preventDefault();
              replaceTab(list);
            }}
          >
            {label(list)}
          </ScreenLink>
        </p>
      )}
    </TitledScreen>
  );
}
