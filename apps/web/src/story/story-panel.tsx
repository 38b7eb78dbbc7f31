import { type StorySpan, story, storySpan } from '@sonnenwarte/contract/story/story';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../blocks/form/segmented.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { read } from '../client/queries.ts';
import { useAnswered } from '../client/use-answered.ts';
import { useFormat } from '../format/use-format.ts';
import { untilNextSumsMs } from '../live/until-next-sums.ts';
import { useSentences } from './sentences.ts';
import styles from './story.module.css';
import type { StoryPanelProps } from './story-part.ts';

/** What a day, week or month of a plant was like, in three sentences of which each number tells its definition. */
export function StoryPanel({ stationID, timeZone, day }: StoryPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const sentencesOf = useSentences(timeZone);
  const [span, setSpan] = useState<StorySpan>('day');
  const query = useQuery({
    ...read(story, { stationID, span, date: day }),
    refetchInterval: untilNextSumsMs,
    placeholderData: (previous) => previous,
  });
  const told = useAnswered(span, query);
  const when = (first: string, last: string): string =>
    first === last ? format.dayLong(first) : `${format.day(first)} – ${format.day(last)}`;
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
      {told && (
        <div className={styles.story} aria-busy={query.isPlaceholderData} aria-live="polite">
          <p className={styles.when}>{when(told.data.first, told.data.last)}</p>
          <p>
            {sentencesOf(told.data, told.asked).map((sentence, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is the first, second or third
              <Fragment key={place}>{sentence} </Fragment>
            ))}
          </p>
        </div>
      )}
    </Panel>
  );
}
