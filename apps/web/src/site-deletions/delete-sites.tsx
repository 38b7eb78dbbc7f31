import { errno } from '@sonnenwarte/contract/errors';
import {
  preview,
  type remove,
  type SiteDeletionCounts,
  undo,
} from '@sonnenwarte/contract/site-deletions/site-deletions';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { usePermit } from '../blocks/actions/can.tsx';
import { ConfirmAction } from '../blocks/actions/confirm-action.tsx';
import { ReadFirst } from '../blocks/overlay/read-first.tsx';
import { useErrorText } from '../blocks/show/error-notice.tsx';
import { textFrom } from '../client/error-table.ts';
import { ApiError } from '../client/failures.ts';
import { read, useWrite, write } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { dismiss, showNotice } from '../notices/notices.ts';
import { useGlobalState } from '../state/global-state.ts';
import { useTakenText } from './taken-text.ts';

/** Plants that something is done with. */
export interface ChosenSites {
  readonly stationIDs: readonly string[];
  /** Of a single one. */
  readonly name?: string;
}

const countedOnce = { staleTime: 'static', gcTime: 0 } as const;
const MOST_NAMED = 8;
const UNDO_SHOWN_MS = 20_000;

/** Counts first what goes with plants, then asks; who deletes many in a short time is asked again. */
export function DeleteSites({ row, of, onClose, onDone }: ActionProps<ChosenSites, typeof remove>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const stationIDs = [...row.stationIDs];
  const counted = useQuery({ ...read(preview, { stationIDs }), ...countedOnce });
  const title =
    row.name === undefined
      ? t('site-deletions.title', { number: format.number(stationIDs.length) })
      : t('site-deletions.titleOf', { name: row.name });
  return (
    <ReadFirst query={counted} title={title} onClose={onClose} waiting={<p>{t('site-deletions.counting')}</p>}>
      {(counts) => <Question {...{ of, title, counts, onClose, onDone }} recount={() => void counted.refetch()} />}
    </ReadFirst>
  );
}

interface QuestionProps extends Pick<ActionProps<ChosenSites, typeof remove>, 'of' | 'onClose' | 'onDone'> {
  title: string;
  counts: SiteDeletionCounts;
  recount: () => void;
}

function Question({ of, title, counts, recount, onClose, onDone }: QuestionProps): ReactNode {
  const { t } = useTranslation();
  const remove = useWrite(of, { inPlace: true });
  const tellDone = useDoneNotice();
  /** The refusal that asks whether to go on. */
  const [tooOften, setTooOften] = useState<ApiError>();
  const asksOn = useRef(false);
  const { sites, devices, dataloggers } = counts;
  const [first] = sites;
  const send = async (confirmed: boolean) => {
    const stationIDs = sites.map(({ stationID }) => stationID);
    const done = await remove.mutateAsync({ stationIDs, expected: { devices, dataloggers }, confirmed });
    tellDone(done);
    onDone();
  };
  const said = useErrorText(tooOften);
  const question = useGlobalState(({ errorMessages, language }) =>
    textFrom(errorMessages, errno.siteDeletedTooOften, language),
  );
  if (tooOften !== undefined) {
    return (
      <ConfirmAction
        opened
        onClose={onClose}
        title={question ?? said}
        confirmLabel={t('site-deletions.goOn')}
        danger
        onConfirm={() => send(true)}
      />
    );
  }
  return (
    <ConfirmAction
      opened
      onClose={() => {
        if (!asksOn.current) onClose();
      }}
      title={title}
      confirmLabel={t('sites.action.delete')}
      danger
      typed={sites.length === 1 ? (first?.name ?? '') : String(sites.length)}
      onConfirm={async () => {
        try {
          await send(false);
        } catch (error) {
          if (!(error instanceof ApiError) || error.errno !== errno.siteDeletedTooOften) {
            recount();
            throw error;
          }
          asksOn.current = true;
          setTooOften(error);
        }
      }}
    >
      <Consequences counts={counts} />
    </ConfirmAction>
  );
}

function Consequences({ counts }: { counts: SiteDeletionCounts }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { sites, devices, dataloggers, shares, undoDays } = counts;
  const named = sites
    .slice(0, MOST_NAMED)
    .map(({ name, city }) => [name, city].filter((text) => text !== '').join(', '));
  const more = sites.length - named.length;
  return (
    <>
      {sites.length > 1 && (
        <p>
          {named.join(' · ')}
          {more > 0 && ` ${t('site-deletions.more', { number: format.number(more) })}`}
        </p>
      )}
      <ul>
        <li>{t('site-deletions.sites', { number: format.number(sites.length) })}</li>
        {devices > 0 && <li>{t('site-deletions.devices', { number: format.number(devices) })}</li>}
        {dataloggers > 0 && <li>{t('site-deletions.dataloggers', { number: format.number(dataloggers) })}</li>}
        {shares > 0 && <li>{t('site-deletions.shares', { number: format.number(shares) })}</li>}
      </ul>
      <p>{t('site-deletions.undoDays', { number: format.number(undoDays) })}</p>
    </>
  );
}

/** Says that plants are deleted, and for a while offers to give them back. */
function useDoneNotice(): (done: { deletionID: string; sites: number }) => void {
  const { t } = useTranslation();
  const format = useFormat();
  const permitted = usePermit()(undo);
  const takenText = useTakenText();
  return ({ deletionID, sites }) => {
    const id = `deleted ${deletionID}`;
    const giveBack = async () => {
      if (!permitted) return;
      dismiss(id);
      const back = await write(permitted, { deletionID });
      const text = t('site-deletions.undone', { number: format.number(back.sites) });
      showNotice({
        id: `undone ${deletionID}`,
        text: [text, takenText(back.takenDataloggers)].join(' '),
        color: 'brand',
      });
    };
    showNotice({
      id,
      text: t('site-deletions.done', { number: format.number(sites) }),
      color: 'brand',
      forMs: UNDO_SHOWN_MS,
      action: {
        label: t('site-deletions.undo'),
        // The client says what went wrong.
        onSelect: () => void giveBack().catch(() => undefined),
      },
    });
  };
}
