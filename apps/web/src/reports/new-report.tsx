import { type create, detail, preview as previewCall } from '@sonnenwarte/contract/reports/reports';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { createTypingPause } from '../blocks/form/typing-pause.ts';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { serverNowMs } from '../client/clock.ts';
import type { Permitted } from '../client/permit.ts';
import { read } from '../client/queries.ts';
import { localDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { showNotice } from '../notices/notices.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useTab } from '../tabs/tab-context.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { RecentPanel } from './recent-panel.tsx';
import { RepeatDialog } from './repeat-dialog.tsx';
import { ReportForm } from './report-form.tsx';
import { canBePreviewed, firstValues, problemsOf, type ReportValues } from './report-values.ts';
import styles from './reports.module.css';

/** So often the place in the queue is looked at again. */
const QUEUE_MS = 5_000;

interface NewReportProps {
  choice: ReactNode;
  of: Permitted<typeof create>;
  /** A report whose choices are taken over; empty for none. */
  template: string;
}

/** A new report: what is chosen at the left, the file as it becomes at the right, what was made lately below. */
export function NewReport({ choice, of, template }: NewReportProps): ReactNode {
  const label = useRouteLabel();
  const { name } = useTab();
  const former = useQuery({ ...read(detail, { id: template }), enabled: template !== '' });
  const isReading = template !== '' && former.isPending;
  return (
    <DetailScreen title={label(name)} aside={choice}>
      {isReading ? (
        <LoadingSkeleton>
          <Skeleton height="30rem" />
        </LoadingSkeleton>
      ) : (
        <Composer key={template} of={of} template={template} former={former.data} />
      )}
    </DetailScreen>
  );
}

interface ComposerProps {
  of: Permitted<typeof create>;
  template: string;
  former: (typeof detail)['result']['_zod']['output'] | undefined;
}

function Composer({ of, template, former }: ComposerProps): ReactNode {
  const { t } = useTranslation();
  const today = localDay(serverNowMs(), localZone());
  const [repeats, setRepeats] = useState(false);
  const [initialValues] = useState((): ReportValues => {
    if (former === undefined) return firstValues(today);
    const { report, ...request } = former;
    return { ...firstValues(today), ...request, name: report.name };
  });
  const form = useEndpointForm(of, {
    initialValues,
    draft: template === '' ? 'new' : template,
    reasons: { variables: t('reports.form.variablesNeeded') },
    onDone: () => {
      showNotice({ id: 'report created', text: t('reports.form.created'), color: 'brand' });
    },
  });
  const asked = useSettled(form.values);
  const isAsked = canBePreviewed(asked);
  const { name: _, ...request } = asked;
  const query = useQuery({
    ...read(previewCall, request),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    // So long as others are made before it.
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.ahead > 0 ? QUEUE_MS : false),
  });
  const preview = isAsked ? query.data : undefined;
  const problems = problemsOf(form.values, preview);
  const reason = problems.days ?? problems.interval;
  return (
    <div className={styles.columns}>
      <div className={styles.left}>
        <ReportForm form={form} preview={preview} problems={problems} today={today} onRepeat={() => setRepeats(true)} />
      </div>
      <div className={styles.right}>
        <PreviewPanel
          source={form.values.source}
          preview={preview}
          isOfBefore={query.isPlaceholderData}
          isAsked={isAsked}
          reason={reason && t(`reports.form.${reason}`)}
          error={isAsked ? query.error : null}
          retry={() => void query.refetch()}
        />
        <RecentPanel />
      </div>
      {repeats && <RepeatDialog values={form.values} onClose={() => setRepeats(false)} />}
    </div>
  );
}

/** What was chosen, once nothing more is chosen for a moment. */
function useSettled(values: ReportValues): ReportValues {
  const [settled, setSettled] = useState(values);
  const [pause] = useState(createTypingPause);
  useEffect(() => {
    pause.wait(() => setSettled(values));
    return () => void pause.drop();
  }, [values, pause]);
  return settled;
}
