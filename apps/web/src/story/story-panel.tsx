import { type StorySpan, story, storySpan } from '@sonnenwarte/contract/story/story';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { useSentences } from './sentences.ts';
import styles from './story.module.css';
import type { StoryPanelProps } from './story-part.ts';

const REFRESH_MS = 5 * 60_000;

/** What a day, week or month of a plant was like, in three sentences of which each number tells its definition. */
export function StoryPanel({ stationID, timeZone, day }: StoryPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const sentencesOf = useSentences(timeZone);
  const [span, setSpan] = useState<StorySpan>('day');
  const query = useQuery({
    ...read(story, { stationID, span, date: day }),
    refetchInterval: REFRESH_MS,
    placeholderData: (previous) => previous,
  });
  const { data } = query;
  const when =
    data === undefined
      ? ''
      : data.first === data.last
        ? format.dayLong(data.first)
        : `${format.day(data.first)} – ${format.day(data.last)}`;
  return (
    <Panel
      title={t('story.title')}
      actions={
        <Segmented
          label={t('story.span')}
          value={span}
          options={storySpan.options.map((each) => ({ value: each, label: t(`story.spans.${each}`) }))}
          onChange={setSpan}
        />
      }
    >
      <ReadState query={query}>
        <Skeleton height="4.5em" />
      </ReadState>
      {data && (
        <div className={styles.story} aria-busy={query.isPlaceholderData} aria-live="polite">
          <p className={styles.when}>{when}</p>
          <p>
            {sentencesOf(data, span).map((sentence, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is the first, second or third
              <Fragment key={place}>{sentence} </Fragment>
            ))}
          </p>
        </div>
      )}
    </Panel>
  );
}
