import { IconChevronDown, IconX } from '@tabler/icons-react';
import { type ReactNode, use, useEffect, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { useTranslation } from 'react-i18next';
import { type EntryProps, entryAria } from './entry.ts';
import { Localized } from './localized.tsx';
import { useTopLayer } from './top-layer.tsx';
import styles from './widgets.module.css';

const MOST_TYPED = 64;

/** What is offered. */
export interface Offer {
  id: string;
  name: string;
  detail: string;
}

interface BoxProps {
  /** Ties the input to its label. */
  id: string;
  offers: readonly Offer[];
  placeholder: string;
  /** Said where nothing matches. */
  noMatch: string;
  /** What is typed; '' when the list opens and when it closes. */
  onSearch: (text: string) => void;
  onOpenChange?: (open: boolean) => void;
}

interface OneProps extends BoxProps, EntryProps<string> {
  /** Name of what is chosen. */
  text: string;
}

interface ManyProps extends BoxProps, EntryProps<readonly string[]> {
  /** Names of what is chosen, in its order. */
  chosen: readonly Offer[];
}

/** What of a box is typed at the moment; nothing while nobody searches. */
function useTyped({ onSearch, onOpenChange }: BoxProps) {
  const [typed, setTyped] = useState<string>();
  const { container, onOpenChange: showLayer, layer } = useTopLayer();
  const stop = () => {
    setTyped(undefined);
    onSearch('');
  };
  return {
    typed,
    container,
    layer,
    stop,
    type: (text: string) => {
      setTyped(text);
      onSearch(text.trim());
    },
    onOpenChange: (open: boolean) => {
      showLayer(open);
      if (!open) stop();
      onOpenChange?.(open);
    },
  };
}

function Offers({ container, noMatch }: { container: HTMLElement | undefined; noMatch: string }) {
  return (
    <Popover
      placement="bottom start"
      offset={4}
      {...(container && { UNSTABLE_portalContainer: container })}
      className={styles.popover ?? ''}
    >
      <ListBox<Offer>
        className={styles.list ?? ''}
        renderEmptyState={() => <div className={styles.none}>{noMatch}</div>}
      >
        {({ id, name, detail }) => (
          <ListBoxItem id={id} textValue={name} className={styles.option ?? ''}>
            <span>{name}</span>
            {detail !== '' && <span className={styles.detail}>{detail}</span>}
          </ListBoxItem>
        )}
      </ListBox>
    </Popover>
  );
}

interface EntryBoxProps {
  className: string | undefined;
  placeholder: string;
  onType: (text: string) => void;
  /** The list closes when it becomes another. */
  done?: number;
  before?: ReactNode;
  after?: ReactNode;
}

function EntryBox({ className, placeholder, onType, done, before, after }: EntryBoxProps) {
  const { t } = useTranslation();
  const state = use(ComboBoxStateContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes once for each, whatever else is drawn anew
  useEffect(() => {
    if (done) state?.close();
  }, [done]);
  return (
    <Group className={className ?? ''}>
      {before}
      <Input
        className={styles.input ?? ''}
        placeholder={placeholder}
        maxLength={MOST_TYPED}
        onClick={() => state?.open(null, 'manual')}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !state?.isOpen) return;
          // Else the browser closes the dialog around it as well.
          event.preventDefault();
          event.stopPropagation();
        }}
        onInput={(event) => {
          onType(event.currentTarget.value);
          // By what is typed alone: a name that arrives would open the list too.
          if (state && !state.isOpen) state.open(null, 'manual');
        }}
      />
      {after}
      <Button aria-label={t('blocks.openList')} className={styles.inside ?? ''}>
        <IconChevronDown size={16} aria-hidden="true" />
      </Button>
    </Group>
  );
}

/** Finds one of many by what is typed; arrow keys walk the matches, Enter takes one. Nothing is ''. */
export function OneBox(props: OneProps) {
  const { id, value, text, offers, placeholder, noMatch, required = false, disabled = false, onChange } = props;
  const { t } = useTranslation();
  const box = useTyped(props);
  return (
    <Localized>
      <ComboBox
        {...entryAria(props)}
        id={id}
        items={offers}
        value={value}
        inputValue={box.typed ?? text}
        allowsEmptyCollection
        menuTrigger="manual"
        onChange={(key) => {
          if (key === null || key === value) return;
          box.stop();
          onChange(String(key));
        }}
        onOpenChange={box.onOpenChange}
        className={styles.entry ?? ''}
      >
        <EntryBox
          className={styles.box}
          placeholder={text === '' ? placeholder : text}
          onType={box.type}
          after={
            value !== '' &&
            !required &&
            !disabled && (
              <Button
                slot={null}
                aria-label={t('common.clear')}
                className={styles.inside ?? ''}
                onPress={() => onChange('')}
              >
                <IconX size={16} aria-hidden="true" />
              </Button>
            )
          }
        />
        <Offers container={box.container} noMatch={noMatch} />
      </ComboBox>
      {box.layer}
    </Localized>
  );
}

/** Several of many: what is chosen stands before the text, each to be taken out again; the list stays open while more are chosen, until one was searched for and found. */
export function ManyBox(props: ManyProps) {
  const { id, value, chosen, offers, placeholder, noMatch, disabled = false, onChange } = props;
  const { t } = useTranslation();
  const box = useTyped(props);
  const [found, setFound] = useState(0);
  return (
    <Localized>
      <ComboBox<Offer, 'multiple'>
        {...entryAria(props)}
        id={id}
        selectionMode="multiple"
        items={offers}
        value={value}
        inputValue={box.typed ?? ''}
        allowsEmptyCollection
        menuTrigger="manual"
        onChange={(keys) => {
          // What is chosen and not offered now stays.
          const offered = new Set(offers.map((offer) => offer.id));
          const kept = value.filter((each) => !offered.has(each) || keys.includes(each));
          const next = [...kept, ...keys.map(String).filter((key) => !kept.includes(key))];
          if (next.length === value.length && next.every((each, index) => each === value[index])) return;
          onChange(next);
          if (!box.typed) return;
          box.stop();
          setFound(found + 1);
        }}
        onOpenChange={box.onOpenChange}
        className={styles.entry ?? ''}
      >
        <EntryBox
          className={`${styles.box} ${styles.many}`}
          placeholder={chosen.length === 0 ? placeholder : ''}
          onType={box.type}
          done={found}
          before={
            chosen.length > 0 && (
              <ul className={styles.chosen}>
                {chosen.map((each) => (
                  <li key={each.id} className={styles.chip}>
                    {each.name}
                    {!disabled && (
                      <button
                        type="button"
                        aria-label={t('blocks.takeOut', { name: each.name })}
                        onClick={() => onChange(value.filter((key) => key !== each.id))}
                      >
                        <IconX size={14} aria-hidden="true" />
                      </button>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        />
        <Offers container={box.container} noMatch={noMatch} />
      </ComboBox>
      {box.layer}
    </Localized>
  );
}
