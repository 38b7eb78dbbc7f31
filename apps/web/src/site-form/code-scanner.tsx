import { IconBulb, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { type CodeReader, openReader } from './code-reader.ts';
import styles from './code-scanner.module.css';
import { inGroups, type ModuleValues } from './pasted-modules.ts';
import { moduleInCode } from './scanned-module.ts';
import { tick } from './tick.ts';

/** Why nothing can be scanned. */
export type ScanFailure = 'denied' | 'absent' | 'failed';

interface CodeScannerProps {
  /** Those that are in the list. */
  modules: readonly ModuleValues[];
  /** What a code names; a datalogger unless said otherwise. */
  moduleOf?: (code: string) => ModuleValues | undefined;
  /** What is said of a code that names nothing. */
  foreign?: string;
  onFound: (module: ModuleValues) => void;
  onEnd: () => void;
  onFailure: (failure: ScanFailure) => void;
}

type Told = { readonly kind: 'read' | 'known'; readonly sn: string } | { readonly kind: 'foreign' };

/** Between two looks at the picture. */
const PAUSE_MS = 120;
const wanted = { video: { facingMode: 'environment', width: { ideal: 1280 } }, audio: false };

const isRefused = (error: unknown): boolean =>
  error instanceof DOMException && ['NotAllowedError', 'SecurityError'].includes(error.name);

/** The light of a phone, where the camera has one. */
interface Light extends MediaTrackConstraintSet {
  torch?: boolean;
}
const hasLight = (track: MediaStreamTrack | undefined): boolean =>
  (track?.getCapabilities?.() as { torch?: boolean } | undefined)?.torch === true;

/** The camera reads codes until it is ended; each is told by a buzz and a tick, and counts once. */
export function CodeScanner({
  modules,
  moduleOf = moduleInCode,
  foreign,
  onFound,
  onEnd,
  onFailure,
}: CodeScannerProps): ReactNode {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const seen = useRef(new Set<string>());
  const [track, setTrack] = useState<MediaStreamTrack>();
  const [light, setLight] = useState(false);
  const [told, setTold] = useState<Told>();

  const take = useEffectEvent((code: string) => {
    if (seen.current.has(code)) return;
    seen.current.add(code);
    const module = moduleOf(code);
    if (module === undefined) return setTold({ kind: 'foreign' });
    const { sn } = module;
    if (modules.some((row) => row.sn === sn)) return setTold({ kind: 'known', sn });
    tick();
    setTold({ kind: 'read', sn });
    onFound(module);
  });
  const fail = useEffectEvent(onFailure);
  const leave = useEffectEvent(onEnd);

  useEffect(() => {
    let ended = false;
    let stream: MediaStream | undefined;
    let reader: CodeReader | undefined;
    const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const scan = async (shown: HTMLVideoElement) => {
      stream = await navigator.mediaDevices.getUserMedia(wanted);
      if (ended) return;
      const [own] = stream.getVideoTracks();
      shown.srcObject = stream;
      await shown.play();
      setTrack(own);
      reader = await openReader();
      while (!ended) {
        // Another step of the form, or another tab, is shown.
        if (!shown.checkVisibility()) return leave();
        if (shown.readyState >= shown.HAVE_CURRENT_DATA) for (const code of await reader.read(shown)) take(code);
        await pause();
      }
    };
    const close = () => {
      ended = true;
      reader?.end();
      for (const each of stream?.getTracks() ?? []) each.stop();
    };
    if (video.current)
      scan(video.current).catch((error: unknown) => {
        if (ended) return;
        const failure = isRefused(error) ? 'denied' : stream === undefined ? 'absent' : 'failed';
        close();
        fail(failure);
      });
    return close;
  }, []);

  const switchLight = async () => {
    const next = !light;
    const constraint: Light = { torch: next };
    await track?.applyConstraints({ advanced: [constraint] }).then(
      () => setLight(next),
      () => undefined,
    );
  };
  return (
    <div className={styles.scanner}>
      <div className={styles.frame} data-live={track !== undefined || undefined}>
        <video ref={video} className={styles.picture} aria-label={t('site-form.scan.picture')} muted playsInline />
        <span className={styles.aim} aria-hidden="true" />
      </div>
      <p className={styles.told} role="status" data-kind={told?.kind}>
        {track === undefined ? t('site-form.scan.starting') : <Words told={told} foreign={foreign} />}
      </p>
      <div className={styles.buttons}>
        {hasLight(track) && (
          <Button aria-pressed={light} onClick={() => void switchLight()}>
            <IconBulb size={18} aria-hidden="true" /> {t('site-form.scan.light')}
          </Button>
        )}
        <Button onClick={onEnd}>
          <IconX size={18} aria-hidden="true" /> {t('site-form.scan.stop')}
        </Button>
      </div>
    </div>
  );
}

function Words({ told, foreign }: { told: Told | undefined; foreign: string | undefined }): ReactNode {
  const { t } = useTranslation();
  if (told === undefined) return t('site-form.scan.hold');
  if (told.kind === 'foreign') return foreign ?? t('site-form.scan.foreign');
  return t(`site-form.scan.${told.kind}`, { sn: inGroups(told.sn) });
}
