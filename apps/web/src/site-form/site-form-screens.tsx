import { errno } from '@sonnenwarte/contract/errors';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { add, edit, linkSn, form as siteForm } from '@sonnenwarte/contract/site-form/site-form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../account/use-account.ts';
import { Can } from '../blocks/actions/can.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { Button } from '../blocks/show/button.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { openScreen, ScreenLink } from '../blocks/show/screen-link.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { ApiError } from '../client/failures.ts';
import type { Permitted } from '../client/permit.ts';
import { read } from '../client/queries.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useRouteLabel } from '../tabs/route-label.ts';
import { useRecordID, useTab, useTabTitle } from '../tabs/tab-context.ts';
import { closeTab } from '../tabs/workspace.ts';
import styles from './site-form.module.css';
import { SiteFormView } from './site-form-view.tsx';
import { type Contact, emptyValues, fieldsOf, type SiteRecord, type SiteValues, valuesOf } from './site-values.ts';
import { useSiteRules } from './use-site-rules.ts';

/** The tab of the form goes, the plant comes. */
function useLeadOn(): (stationID: string) => void {
  const { id } = useTab();
  return (stationID) => {
    closeTab(id);
    openScreen({ to: 'plant-detail', query: { id: stationID } });
  };
}

/** A plant begins in the zone of whoever makes it, until a place says another. */
function newValues(): SiteValues {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { ...emptyValues, ianaTimezone: timeZone, filled: { ianaTimezone: timeZone } };
}

/** A new plant of an installer, agent or distributor. */
export function SiteAddScreen(): ReactNode {
  return <Can of={add}>{(of) => <AddForm of={of} />}</Can>;
}

/** The business that adds a plant has installed it, until somebody else is named. */
function useOwnBusiness(): Contact {
  const account = useAccount();
  return { name: account?.organisation ?? '', email: account?.email ?? '', phone: account?.phone ?? '' };
}

function AddForm({ of }: { of: Permitted<typeof add> }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const leadOn = useLeadOn();
  const { rules, wrongRows } = useSiteRules();
  const installerContact = useOwnBusiness();
  const [initialValues] = useState(() => ({ ...newValues(), installerContact }));
  const form = useEndpointForm(of, {
    initialValues,
    ...rules,
    prepare: (values) => ({ ...fieldsOf(values), owner: values.owner, modules: values.modules }),
    onDone: ({ stationID }) => leadOn(stationID),
  });
  return (
    <SiteFormView
      form={form}
      title={label('plant-add')}
      submitLabel={t('site-form.submit.add')}
      withOwner
      wrongRows={wrongRows}
    />
  );
}

/** A plant made of the serial numbers of its dataloggers: an end user's own, or an administrator's for somebody. */
export function SiteLinkScreen(): ReactNode {
  return <Can of={linkSn}>{(of) => <LinkForm of={of} />}</Can>;
}

function LinkForm({ of }: { of: Permitted<typeof linkSn> }): ReactNode {
  const { t } = useTranslation();
  const label = useRouteLabel();
  const leadOn = useLeadOn();
  const isAdministrator = useGlobalState((state) => state.access) === LEVEL.admin;
  const { rules, wrongRows } = useSiteRules();
  const [initialValues] = useState(newValues);
  const form = useEndpointForm(of, {
    initialValues,
    ...rules,
    prepare: (values) => ({
      ...fieldsOf(values),
      modules: values.modules,
      organisationID: values.organisationID,
      owner: values.owner,
    }),
    onDone: ({ stationID }) => leadOn(stationID),
  });
  return (
    <SiteFormView
      form={form}
      title={label('plant-link-sn')}
      submitLabel={t('site-form.submit.add')}
      withOwner={isAdministrator}
      withOrganisation={isAdministrator}
      wrongRows={wrongRows}
    />
  );
}

/** A plant that there is, named by the address. */
export function SiteEditScreen(): ReactNode {
  const { t } = useTranslation();
  const stationID = useRecordID('stationID');
  if (stationID === undefined) {
    return (
      <TitledScreen>
        <EmptyState
          text={t('site-form.noPlant')}
          action={<ScreenLink to="plant-view">{t('site-form.openList')}</ScreenLink>}
        />
      </TitledScreen>
    );
  }
  return (
    <Can of={edit} outline={<TitledScreen>{null}</TitledScreen>}>
      {(of) => <EditRead key={stationID} of={of} stationID={stationID} />}
    </Can>
  );
}

interface EditReadProps {
  of: Permitted<typeof edit>;
  stationID: string;
}

function EditRead({ of, stationID }: EditReadProps): ReactNode {
  const query = useQuery(read(siteForm, { stationID }));
  /** What is edited stays as it was read until the newer one is asked for. */
  const [begun, setBegun] = useState<SiteRecord>();
  const site = begun ?? query.data;
  if (begun === undefined && query.data !== undefined) setBegun(query.data);
  if (!site) {
    if (query.error) return <UnreadRecord error={query.error} retry={() => void query.refetch()} list="plant-view" />;
    return (
      <LoadingSkeleton>
        <Skeleton width="16rem" height="2rem" />
        <Skeleton height="8rem" />
        <Skeleton height="20rem" />
      </LoadingSkeleton>
    );
  }
  return (
    <EditForm
      key={site.version}
      of={of}
      site={{ ...site, tariffs: query.data?.tariffs ?? site.tariffs }}
      newer={query.data?.version !== undefined && query.data.version !== site.version}
      onTakeNewer={async () => setBegun((await query.refetch()).data ?? site)}
    />
  );
}

interface EditFormProps {
  of: Permitted<typeof edit>;
  site: SiteRecord;
  /** Somebody has changed the plant since it was read. */
  newer: boolean;
  /** Begins with that; what was typed here stays. */
  onTakeNewer: () => Promise<void>;
}

function EditForm({ of, site, newer, onTakeNewer }: EditFormProps): ReactNode {
  const { t } = useTranslation();
  const leadOn = useLeadOn();
  const { rules, wrongRows } = useSiteRules();
  const [initialValues] = useState(() => valuesOf(site));
  const form = useEndpointForm(of, {
    initialValues,
    ...rules,
    prepare: (values) => ({
      ...fieldsOf(values),
      stationID: site.stationID,
      version: site.version,
      priceValidFrom: values.priceValidity === 'day' ? values.priceValidFrom : values.priceValidity,
      modules: values.modules,
    }),
    onDone: () => leadOn(site.stationID),
  });
  const title = t('site-form.editTitle', { name: site.name });
  useTabTitle(title);
  const refused = form.failure instanceof ApiError && form.failure.errno === errno.siteChangedSince;
  return (
    <SiteFormView
      form={form}
      title={title}
      submitLabel={t('site-form.submit.edit')}
      site={site}
      wrongRows={wrongRows}
      notice={
        (newer || refused) && (
          <div className={styles.notice} role="alert">
            <span>{t('site-form.changedSince')}</span>
            <Button small onClick={() => void onTakeNewer()}>
              {t('site-form.takeNewer')}
            </Button>
          </div>
        )
      }
    />
  );
}
