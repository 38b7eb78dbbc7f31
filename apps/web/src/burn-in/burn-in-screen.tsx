import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { useTabQuery } from '../tabs/tab-context.ts';
import { PlanList } from './plan-list.tsx';
import { RunList } from './run-list.tsx';
import { useRunNews } from './use-run-news.ts';

const views = ['runs', 'plans'] as const;

/** Burn-in runs with the rack of one of them, and the plans that they are made with. */
export function BurnInScreen(): ReactNode {
  const { t } = useTranslation();
  const [query, setQuery] = useTabQuery();
  useRunNews();
  const view = views.find((each) => each === query.view) ?? 'runs';
  const choice = (
    <Segmented
      label={t('burn-in.view.label')}
      value={view}
      options={views.map((value) => ({ value, label: t(`burn-in.view.${value}`) }))}
      onChange={(next) => setQuery(next === 'runs' ? {} : { view: next })}
    />
  );
  return view === 'plans' ? <PlanList choice={choice} /> : <RunList choice={choice} />;
}
