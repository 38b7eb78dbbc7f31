import { type ReactNode, useEffect, useState } from 'react';
import styles from './qr-code.module.css';

const QUIET_ZONE = 4;

interface Drawn {
  readonly of: string;
  readonly size: number;
  readonly path: string;
}

/** The dark fields of a code, each row's runs as one stroke. */
async function drawn(text: string): Promise<Drawn> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const path = data
    .map((row, y) => {
      const dark = row.map((isDark) => (isDark ? '1' : '0')).join('');
      return [...dark.matchAll(/1+/g)]
        .map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`)
        .join('');
    })
    .join('');
  return { of: text, size, path };
}

/** A QR code, dark on white in whatever colours; what draws it is fetched with the first. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const [code, setCode] = useState<Drawn>();
  useEffect(() => {
    let isShown = true;
    drawn(text).then(
      (made) => isShown && setCode(made),
      // The page says it, as with all code that does not come; the code in words stands beside.
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [text]);
  return (
    <div className={styles.code} role="img" aria-label={label}>
      {code?.of === text && (
        <svg viewBox={`0 0 ${code.size} ${code.size}`} shapeRendering="crispEdges" aria-hidden="true">
          <path d={code.path} />
        </svg>
      )}
    </div>
  );
}
