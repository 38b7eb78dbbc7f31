import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../client/queries.ts';
import { reviveLive } from '../live/live-state.ts';
import styles from './pull-to-refresh.module.css';

/** So far a finger has to pull, px, and so far the sign follows it. */
const ENOUGH_PX = 72;
const MOST_PX = 110;
/** A finger that has not yet decided where it goes. */
const SLACK_PX = 8;
const SHOWN_MS = 600;

type Pull = { readonly x: number; readonly y: number; decided: boolean };

/** Whether what is touched scrolls by itself, or stands above the page. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('dialog, [popover], input, textarea, select, [role="slider"]') !== null;

/** Pulling the page down at its top asks for all that is shown again. */
export function PullToRefresh() {
  const { t } = useTranslation();
  const sign = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState(false);

  useEffect(() => {
    let pull: Pull | undefined;
    let pulledPx = 0;
    const show = (px: number) => {
      pulledPx = px;
      sign.current?.style.setProperty('--pulled', `${Math.min(px, MOST_PX)}px`);
      sign.current?.style.setProperty('--turn', String(px * 3));
      sign.current?.toggleAttribute('data-enough', px >= ENOUGH_PX);
    };
    const begin = ({ touches, target }: TouchEvent) => {
      const [touch] = touches;
      if (touches.length !== 1 || !touch || scrollY > 0 || isElsewhere(target)) pull = undefined;
      else pull = { x: touch.clientX, y: touch.clientY, decided: false };
    };
    const move = ({ touches }: TouchEvent) => {
      const [touch] = touches;
      if (!pull || !touch) return;
      const down = touch.clientY - pull.y;
      const aside = Math.abs(touch.clientX - pull.x);
      if (!pull.decided && Math.max(Math.abs(down), aside) > SLACK_PX) {
        if (aside > down) pull = undefined;
        else pull.decided = true;
      }
      if (pull?.decided) show(scrollY > 0 ? 0 : Math.max(0, down / 2));
    };
    const end = () => {
      const enough = pull?.decided === true && pulledPx >= ENOUGH_PX;
      pull = undefined;
      show(0);
      if (!enough) return;
      setAsking(true);
      reviveLive();
      const shown = new Promise((resolve) => setTimeout(resolve, SHOWN_MS));
      void Promise.allSettled([queryClient.invalidateQueries(), shown]).then(() => setAsking(false));
    };
    const passive = { passive: true } as const;
    addEventListener('touchstart', begin, passive);
    addEventListener('touchmove', move, passive);
    addEventListener('touchend', end, passive);
    addEventListener('touchcancel', end, passive);
    return () => {
      removeEventListener('touchstart', begin);
      removeEventListener('touchmove', move);
      removeEventListener('touchend', end);
      removeEventListener('touchcancel', end);
    };
  }, []);

  return (
    <div ref={sign} className={styles.sign} data-asking={asking || undefined} role="status">
      <IconRefresh size={20} stroke={1.8} aria-hidden="true" />
      {asking && <span className="visually-hidden">{t('shell.refreshing')}</span>}
    </div>
  );
}
