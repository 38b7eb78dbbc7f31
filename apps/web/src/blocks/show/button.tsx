import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /**
   * `filled` is the one action that matters, `danger` one that cannot be taken back,
   * `danger-quiet` the way to such a one, `plain` one without a frame.
   */
  look?: 'default' | 'filled' | 'plain' | 'danger' | 'danger-quiet';
  small?: boolean;
  wide?: boolean;
}

/** A button with words, an icon before them where it helps. */
export function Button({ look = 'default', small = false, wide = false, ...button }: ButtonProps) {
  return (
    <button
      type="button"
      {...button}
      className={styles.button}
      data-look={look}
      data-small={small || undefined}
      data-wide={wide || undefined}
    />
  );
}

type ButtonLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> & Pick<ButtonProps, 'look'>;

/** A link that looks like a button: it leads out of the portal, to a telephone or a mail. */
export function ButtonLink({ look = 'default', ...link }: ButtonLinkProps) {
  return <a {...link} className={styles.button} data-look={look} />;
}

/** A square button with an icon alone; its `aria-label` says what it does. */
export function IconButton(button: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type'>) {
  return <button type="button" {...button} className={styles.icon} />;
}
